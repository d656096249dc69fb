package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.datastore.fixture.StoreTest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens of a writer whose clock is wrong are remembered for the retention, by a right clock. */
class SkewedClockTest extends StoreTest {
    private static final Duration RETENTION = Duration.ofHours(24);
    private static final Duration BETWEEN_PURGES = Duration.ofHours(1);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final String name = "c-" + UUID.randomUUID();
    private final IdempotencyToken token = IdempotencyToken.random();

    /** Creates a process whose clock is wrong by some hours. */
    private DatastoreSequenceBackend process(int hours) {
        return DatastoreSequenceBackend.create(DatastoreSequenceOptions.builder()
                .clock(() -> now.get().plus(Duration.ofHours(hours)))
                .retention(RETENTION)
                .build());
    }

    /** Purges by a right clock each hour for some time. */
    private void purgeFor(Duration time) {
        Instant end = now.get().plus(time);
        while (now.get().isBefore(end)) {
            purge();
            now.set(now.get().plus(BETWEEN_PURGES));
        }
        purge();
    }

    private void purge() {
        int unused = process(0).purgeTokens(500);
    }

    @ParameterizedTest
    @ValueSource(ints = {-10_000, -25, -24, -1, 0, 1, 24, 25})
    void addIsAppliedOnce_whateverItsWritersClock(int hours) {
        Counters.over(process(hours)).counter(name).add(5, token);

        purgeFor(RETENTION);
        Counter counter = Counters.over(process(0)).counter(name);
        counter.add(5, token);
        assertThat(counter.get()).isEqualTo(5);

        purgeFor(RETENTION.plus(Duration.ofHours(Math.max(0, hours))).plus(BETWEEN_PURGES.multipliedBy(3)));
        assertThat(count("CounterKitToken")).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {-25, 25})
    void appendAndResolution_areRemembered(int hours) {
        Counters writer = Counters.over(process(hours));
        IdempotencyToken resolved = IdempotencyToken.random();
        assertThat(writer.sequence(name).append(Map.of(), token).number()).isOne();
        assertThat(writer.resolve(resolved)).isEqualTo(new Resolution.NotApplied());

        purgeFor(RETENTION);

        Sequence sequence = Counters.over(process(0)).sequence(name);
        assertThat(sequence.append(Map.of(), token).number()).isOne();
        assertThat(Counters.over(process(0)).resolve(resolved)).isEqualTo(new Resolution.NotApplied());
        assertThat(sequence.last()).isOne();
    }

    /** Two processes purge in turns, and the clock of one is wrong; the writers' clocks are right. */
    @ParameterizedTest
    @ValueSource(ints = {-25, 25})
    void purgeByAWrongClock_forgetsNothingOfARightWriter(int hours) {
        Counters.over(process(0)).counter(name).add(5, token);
        Instant end = now.get().plus(RETENTION);
        while (now.get().isBefore(end)) {
            purge();
            int unused = process(hours).purgeTokens(500);
            now.set(now.get().plus(BETWEEN_PURGES));
        }
        Counter counter = Counters.over(process(0)).counter(name);
        counter.add(5, token);
        assertThat(counter.get()).isEqualTo(5);
    }

    @Test
    void tokenThatAPurgeHasSeen_staysReadable() {
        Counters.over(process(-25)).counter(name).add(5, token);
        purge();
        assertThat(process(0).purgeTokens(500)).isZero();

        assertThat(Counters.over(process(0)).resolve(token)).isEqualTo(new Resolution.Added(name, 5));
    }
}
