package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.jdbc.server.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Adds and appends that are one statement on PostgreSQL: their round trips, and their races with other processes. */
class OneStatementTest {
    private static final int CHANGES = 600;

    private static final CountersOptions PATIENT =
            CountersOptions.builder().deadline(Duration.ofMinutes(2)).build();

    private final String name = "test-" + UUID.randomUUID();

    @Test
    void addsAndAppends_takeOneRoundTrip() {
        JdbcFaults faults = new JdbcFaults();
        JdbcCounterOptions options =
                JdbcCounterOptions.builder().createTables(true).build();
        try (Counters counters = Counters.over(faults.create(() -> JdbcCounterBackend.create(
                faults.around(PostgresServer.shared(), JdbcFaults.Calls.ROUND_TRIPS), options)))) {
            counters.sequence(name).next(); // creates its row

            assertThat(calls(faults, () -> counters.counter(name).add(1))).isEqualTo(1);
            assertThat(calls(faults, () -> counters.counter(name).add(1, IdempotencyToken.random())))
                    .isEqualTo(1);
            assertThat(calls(faults, () -> counters.sequence(name).next())).isEqualTo(1);
            assertThat(calls(faults, () -> counters.sequence(name).append(Map.of(), IdempotencyToken.random())))
                    .isEqualTo(1);
        }
    }

    private static int calls(JdbcFaults faults, Runnable change) {
        int before = faults.calls();
        change.run();
        return faults.calls() - before;
    }

    /** Batches of one process have tokens that the other one has stored already, or is about to. */
    @Test
    void changesOfTwoProcessesWithTheSameTokens_areAppliedOnce() {
        List<IdempotencyToken> tokens = IntStream.range(0, CHANGES)
                .mapToObj(i -> IdempotencyToken.random())
                .toList();
        try (PostgresFixture fixture = PostgresFixture.pooled();
                Counters one = Counters.over(fixture.connect(), PATIENT);
                Counters other = Counters.over(fixture.connect(), PATIENT)) {
            List<CompletableFuture<Void>> adds = new ArrayList<>();
            Map<Integer, CompletableFuture<Entry>> firsts = new TreeMap<>();
            Map<Integer, CompletableFuture<Entry>> seconds = new TreeMap<>();
            inAnyOrder(1, i -> {
                adds.add(one.counter(name + i % 5).async().add(i, tokens.get(i)));
                firsts.put(i, one.sequence(name).async().append(Map.of("i", (long) i), of(tokens.get(i))));
            });
            inAnyOrder(2, i -> {
                adds.add(other.counter(name + i % 5).async().add(i, tokens.get(i)));
                seconds.put(i, other.sequence(name).async().append(Map.of("i", (long) i), of(tokens.get(i))));
            });
            adds.forEach(CompletableFuture::join);

            for (int counter = 0; counter < 5; counter++) {
                int part = counter;
                assertThat(one.counter(name + part).get())
                        .isEqualTo(IntStream.range(0, CHANGES)
                                .filter(i -> i % 5 == part)
                                .sum());
            }
            List<Entry> entries = joined(firsts);
            assertThat(joined(seconds)).isEqualTo(entries);
            assertThat(one.sequence(name).read(1, CHANGES)).containsExactlyInAnyOrderElementsOf(entries);
            assertThat(entries.stream().map(Entry::number).sorted())
                    .isEqualTo(LongStream.rangeClosed(1, CHANGES).boxed().toList());
            assertThat(one.sequence(name).liveCount()).isEqualTo(CHANGES);
        }
    }

    private static IdempotencyToken of(IdempotencyToken add) {
        return IdempotencyToken.of("append-" + add.value());
    }

    private static void inAnyOrder(long seed, IntConsumer change) {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, CHANGES).boxed().toList());
        Collections.shuffle(order, new Random(seed));
        order.forEach(change::accept);
    }

    private static List<Entry> joined(Map<Integer, CompletableFuture<Entry>> appends) {
        return appends.values().stream().map(CompletableFuture::join).toList();
    }

    @Test
    void whatIsAcknowledgedBesideASeal_isWhatTheSealHas() {
        try (PostgresFixture fixture = PostgresFixture.pooled();
                Counters writer = Counters.over(fixture.connect(), PATIENT);
                Counters sealer = Counters.over(fixture.connect(), PATIENT)) {
            List<CompletableFuture<Boolean>> sealed = new ArrayList<>();
            List<CompletableFuture<Boolean>> open = new ArrayList<>();
            List<CompletableFuture<Boolean>> appends = new ArrayList<>();
            List<CompletableFuture<Seal>> seals = new ArrayList<>();
            for (int i = 0; i < CHANGES; i++) {
                sealed.add(isApplied(writer.counter(name).async().add(1)));
                open.add(isApplied(writer.counter(name + "-open").async().add(1)));
                appends.add(isApplied(writer.sequence(name).async().next()));
                if (i == CHANGES / 2) {
                    assertThat(sealed.get(i / 2).join()).isTrue();
                    seals.add(sealer.counter(name).async().seal("elsewhere"));
                    seals.add(sealer.sequence(name).async().seal("elsewhere"));
                }
            }

            assertThat(applied(sealed)).isEqualTo(seals.get(0).join().last());
            assertThat(applied(appends)).isEqualTo(seals.get(1).join().last());
            assertThat(applied(open)).isEqualTo(CHANGES);
            assertThat(writer.counter(name + "-open").get()).isEqualTo(CHANGES);
            assertThat(writer.counter(name).get()).isEqualTo(seals.get(0).join().last());
            assertThat(writer.sequence(name).last())
                    .isEqualTo(seals.get(1).join().last());
        }
    }

    private static CompletableFuture<Boolean> isApplied(CompletableFuture<?> change) {
        Function<Throwable, Boolean> refused = failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            assertThat(cause).isInstanceOf(SealedException.class);
            return false;
        };
        return change.<Boolean>thenApply(value -> true).exceptionally(refused);
    }

    private static long applied(List<CompletableFuture<Boolean>> changes) {
        return changes.stream().filter(CompletableFuture::join).count();
    }

    /** The statement does not overwrite it, and stores neither the tail nor the token. */
    @Test
    void entryAfterTheTail_isReported_andKept() throws SQLException {
        try (PostgresFixture fixture = PostgresFixture.pooled();
                Counters counters = Counters.over(fixture.connect(), PATIENT)) {
            counters.sequence(name).append(Map.of("of", "us"));
            update(
                    "INSERT INTO counterkit_entries SELECT sequence, 2, appended_at, change, subject, fields, live, erased"
                            + " FROM counterkit_entries WHERE sequence = '" + name + "'");

            assertThatExceptionOfType(CorruptDataException.class)
                    .isThrownBy(() -> counters.sequence(name).append(Map.of("of", "others")));
            assertThat(counters.sequence(name).last()).isEqualTo(1);
            assertThat(counters.sequence(name).read(1, 2))
                    .extracting(Entry::fields)
                    .containsOnly(Map.of("of", "us"));
        }
    }

    @Test
    void lastNumberBelowZero_isReported_andKept() throws SQLException {
        try (PostgresFixture fixture = PostgresFixture.pooled();
                Counters counters = Counters.over(fixture.connect(), PATIENT)) {
            counters.sequence(name).next();
            update("UPDATE counterkit_sequences SET last = -1 WHERE name = '" + name + "'");

            assertThatExceptionOfType(CorruptDataException.class)
                    .isThrownBy(() -> counters.sequence(name).next())
                    .withMessageEndingWith("'" + name + "' has the last number -1");
            assertThatExceptionOfType(CorruptDataException.class)
                    .isThrownBy(() -> counters.sequence(name).last());
        }
    }

    private static void update(String sql) throws SQLException {
        try (Connection connection = PostgresServer.shared().getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
