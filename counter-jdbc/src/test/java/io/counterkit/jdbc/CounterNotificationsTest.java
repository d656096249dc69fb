package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Follower;
import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.jdbc.server.PostgresServer;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Listening;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The notifications of changed totals on PostgreSQL, which are read by watches of all processes. */
class CounterNotificationsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final DataSource server = PostgresServer.shared();
    private final String prefix = PostgresFixture.unusedPrefix();
    private final JdbcCounterBackend backend = PostgresFixture.notifying(server, prefix);
    private final Counters counters = Counters.over(backend);
    private final JdbcCounterBackend otherBackend = PostgresFixture.notifying(server, prefix);
    private final Counters others = Counters.over(otherBackend);
    private final Counter likes = others.counter("likes");
    private final AtomicInteger reports = new AtomicInteger();

    @AfterEach
    void close() {
        counters.close();
        others.close();
    }

    /** Listens until notifications arrive. */
    private Listening listen(String counter) {
        Listening listening = backend.counters().listen(counter, reports::incrementAndGet);
        await().atMost(PATIENCE).until(() -> listening != null && listening.isLive() && reports.get() == 1);
        return Objects.requireNonNull(listening);
    }

    /** Makes a change of another process, and waits until this one is notified. */
    private void assertReported(Runnable change) {
        int before = reports.get();
        change.run();
        await().atMost(PATIENCE).until(() -> reports.get() == before + 1);
    }

    @Test
    void eachChangeOfATotal_isReportedOnce() {
        listen("likes");
        assertReported(likes::increment); // creates its row
        assertReported(() -> likes.add(5));
        assertReported(() -> likes.add(2, IdempotencyToken.random()));
        assertReported(likes::reset);
        assertReported(likes::delete);
        assertReported(() -> otherBackend
                .migration()
                .importBase(
                        Kind.COUNTER,
                        "likes",
                        new ImportedState("elsewhere", true, 7, 0),
                        new Call(PATIENCE, CountersListener.disabled()))
                .join());
        assertThat(likes.get()).isEqualTo(7);
    }

    @Test
    void addInACallersTransaction_isReportedOnceItIsCommitted() throws SQLException {
        listen("likes");
        try (Connection connection = Shop.begin(server)) {
            JdbcTransaction tx = otherBackend.within(connection);
            tx.add("likes", 100);
            tx.add("likes", 100);
            connection.rollback();
            otherBackend.within(connection).add("likes", 1);
            assertReported(() -> commit(connection));
        }
        assertReported(() -> otherBackend.transact(IdempotencyToken.random(), tx -> tx.add("likes", 1)));
        assertThat(likes.get()).isEqualTo(2);
    }

    private static void commit(Connection connection) {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Notifications arrive in the order of their commits, so an earlier report would be counted. */
    @Test
    void changesOfOtherNames_areNotReported() {
        listen("likes");
        assertReported(() -> {
            others.counter("like").increment();
            others.counter("Likes").increment();
            others.sequence("likes").next();
            likes.increment();
        });
        assertReported(() -> {
            others.counter("other").seal("elsewhere");
            likes.increment();
        });
    }

    /** A commit with this many counters has one notification, for all counters. */
    @Test
    void commitOfManyCounters_isReportedOnce() {
        listen("likes");
        List<String> names = IntStream.range(0, 200).mapToObj(i -> "page " + i).toList();
        List<AddRequest> adds =
                names.stream().map(name -> new AddRequest(name, 1, null)).toList();
        assertReported(() -> otherBackend
                .counters()
                .add(adds, new Commit(PATIENCE, new SecureRandom(), CountersListener.disabled()))
                .join());
        assertThat(names)
                .allSatisfy(name -> assertThat(counters.counter(name).get()).isEqualTo(1));
    }

    /**
     * Polls are a cadence apart, so a total that was read much sooner was notified. One may be late on a busy machine.
     */
    @Test
    void watch_showsAChangeOfAnotherProcess_beforeItsNextPoll() {
        Duration cadence = Duration.ofSeconds(2);
        List<Reading> shown = new CopyOnWriteArrayList<>();
        Watch watch = counters.counter("likes").watch(cadence, shown::add);
        await().atMost(PATIENCE).until(() -> {
            Instant poll = awaitReadAfter(watch, Instant.MIN);
            Instant next = awaitReadAfter(watch, poll);
            likes.increment();
            long total = likes.get();
            await().atMost(PATIENCE).until(() -> shown.stream().anyMatch(reading -> reading.value() == total));
            Reading changed = shown.get(shown.size() - 1);
            return Duration.between(next, changed.asOf()).compareTo(cadence.dividedBy(2)) < 0;
        });
    }

    private static Instant awaitReadAfter(Watch watch, Instant earlier) {
        await().atMost(PATIENCE)
                .until(() -> watch.latest() != null && watch.latest().asOf().isAfter(earlier));
        return Objects.requireNonNull(watch.latest()).asOf();
    }

    @Test
    void followersAndWatches_shareOneConnection() throws SQLException {
        assertThat(sessions()).isZero();
        Follower follower = counters.sequence("orders").follow(1, entry -> {});
        await().atMost(PATIENCE).until(() -> sessions() == 1);
        Watch watch = counters.counter("likes").watch(Duration.ofHours(1), reading -> {});
        listen("likes");
        assertReported(likes::increment);
        assertThat(sessions()).isEqualTo(1);
        follower.close();
        assertReported(likes::increment);
        assertThat(sessions()).isEqualTo(1);
        watch.close();
    }

    /** Returns the number of sessions whose last command was to listen on a channel, or to end that on another one. */
    private long sessions() throws SQLException {
        return SchemaTest.number(
                server, "SELECT count(*) FROM pg_stat_activity WHERE query ~ '^(UN)?LISTEN " + prefix + "'");
    }
}
