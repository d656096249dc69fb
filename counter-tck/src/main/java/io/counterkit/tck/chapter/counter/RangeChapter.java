package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counter;
import io.counterkit.CounterOverflowException;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Limits;
import io.counterkit.spi.NameState;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.Overflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapter 6: range and overflow. */
public abstract class RangeChapter extends Chapter {
    /** The number of adds of the largest delta whose sum is an eighth of 2^64. */
    private static final int ONE_EIGHTH = 256;

    /** The number of bits of the largest delta. */
    private static final int BITS = 53;

    /** How long such adds are made. A slow store does not reach 2^63 in this time. */
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(700);

    @Test
    @Rule(
            value = "6.1",
            lookAt = "totals that pass through floating point, or that are stored with as many bytes as they need")
    final void spec601_largeTotalsAreExact() {
        Counter counter = counter();
        counter.add(Limits.MAX_DELTA);
        counter.add(1);
        assertTotalElsewhere(counter, Limits.MAX_DELTA + 1);
        counter.add(Limits.MAX_DELTA);
        counter.add(-2);
        assertTotalElsewhere(counter, 2 * Limits.MAX_DELTA - 1);
        assertPowersAreExact();
    }

    /** Checks totals at which another bit or byte is needed, with both signs. */
    private void assertPowersAreExact() {
        Map<String, Long> totals = new LinkedHashMap<>();
        List<Long> powers =
                some(IntStream.range(2, BITS).mapToObj(bit -> 1L << bit).toList());
        for (long power : powers) {
            for (long total : List.of(power - 1, power, -power, -power - 1)) {
                totals.put(name(), total);
            }
        }
        List<CompletableFuture<?>> adds = new ArrayList<>();
        totals.forEach((name, total) -> adds.add(here().counter(name).async().add(total)));
        adds.forEach(CompletableFuture::join);
        assertThat(there().readAll(totals.keySet(), Duration.ZERO).values())
                .as("totals at the edges of each number of bits, in another process")
                .isEqualTo(totals);
    }

    @Test
    @Rule(
            value = "6.2",
            lookAt =
                    "whether a read of a total beyond 2^62 fails with CounterOverflowException; the sum of the parts of"
                            + " a total; wrapping, at 2^63 too, saturation and conversion to a double")
    final void spec602_totalAboveTheRangeIsAnErrorAndComesBack() {
        Counter counter = counter();
        Overflow.toTheTop(counter);
        assertTotalElsewhere(counter, Limits.MAX_TOTAL);
        counter.add(1);
        assertOverflown(counter);
        counter.add(Limits.MAX_DELTA);
        assertOverflown(counter);
        counter.add(-Limits.MAX_DELTA);
        counter.add(-3);
        assertTotalElsewhere(counter, Limits.MAX_TOTAL - 2);
        assertNeverWraps(Limits.MAX_DELTA);
    }

    /** Checks that reads fail from 2^62 to 2^64: a 64-bit integer changes its sign at 2^63, and is 0 again at 2^64. */
    private void assertNeverWraps(long delta) {
        Counter counter = counter();
        long start = System.nanoTime();
        for (int eighths = 1; eighths <= 8 && System.nanoTime() - start < LONG; eighths++) { // of 2^64
            awaitAll(Stream.generate(IdempotencyToken::random)
                    .limit(ONE_EIGHTH)
                    .map(token -> counter.async().add(delta, token))); // so that they are not merged
            if (eighths > 2) {
                assertOverflown(counter);
            }
        }
        counter.reset();
        counter.add(4);
        assertThat(elsewhere(counter).get())
                .as("the total after a reset of a total that was out of range, and an add of 4")
                .isEqualTo(4);
    }

    @Test
    @Rule(value = "6.3", lookAt = "the sum of the parts of a negative total")
    final void spec603_totalBelowTheRangeIsAnErrorAndComesBack() {
        Counter counter = counter();
        Overflow.toTheBottom(counter);
        assertTotalElsewhere(counter, -Limits.MAX_TOTAL);
        counter.add(-1);
        assertOverflown(counter);
        counter.add(3);
        assertTotalElsewhere(counter, -Limits.MAX_TOTAL + 2);
        assertNeverWraps(-Limits.MAX_DELTA);
    }

    @Test
    @Rule(value = "6.4", lookAt = "whether a reset reads the total")
    final void spec604_resetLeadsOutOfAnOverflow() {
        Counter counter = counter();
        Overflow.above(counter);
        assertOverflown(counter);
        counter.reset();
        counter.add(4);
        assertTotalElsewhere(counter, 4);
    }

    @Test
    @Rule(value = "6.5", lookAt = "whether a deletion reads the total")
    final void spec605_deletionLeadsOutOfAnOverflow() {
        Counter counter = counter();
        Overflow.above(counter);
        counter.delete();
        counter.add(4);
        assertTotalElsewhere(counter, 4);
    }

    private void assertOverflown(Counter counter) {
        assertThatExceptionOfType(CounterOverflowException.class)
                .as("the failure of a read of a total outside ±2^62")
                .isThrownBy(counter::get);
        assertThatExceptionOfType(CounterOverflowException.class)
                .as("the failure of a read of that total in another process")
                .isThrownBy(() -> elsewhere(counter).read(Duration.ZERO));
        assertThatExceptionOfType(CounterOverflowException.class)
                .as("the failure of a read of that total with the shortest staleness bound")
                .isThrownBy(() -> elsewhere(counter).read(Duration.ofNanos(1)));
    }

    @Test
    @Rule(
            value = "6.8",
            lookAt = "operations that read the total without a need: the list of names, the state of a name, the check"
                    + " of a token, a reset")
    final void spec608_counterOutOfRangeIsPresent() {
        Counter counter = counter();
        IdempotencyToken token = IdempotencyToken.random();
        Overflow.above(counter);
        elsewhere(counter).add(1, token);
        elsewhere(counter).add(1, token);
        assertResolved(token, new Resolution.Added(counter.name(), 1));
        assertListed(counter);
        counter.reset();
        assertTotalElsewhere(counter, 0);
        assertListed(counter);
        Overflow.above(counter);
        counter.delete();
        assertTotalElsewhere(counter, 0);
        awaitLists(() -> assertThat(ListedNames.ofCounters(there(), counter.name()))
                .as("the listed names")
                .isEmpty());
    }

    /** Checks that a counter is present in lists and states. */
    private void assertListed(Counter counter) {
        awaitLists(() -> assertThat(ListedNames.ofCounters(there(), counter.name()))
                .as("the names listed for a counter that was out of range")
                .containsExactly(counter.name()));
        if (declares(Capability.SEAL_COUNTERS) || declares(Capability.IMPORT)) {
            CounterBackend backend = backend();
            assertThat(backend.migration()
                            .states(Kind.COUNTER, List.of(counter.name()), commit())
                            .join())
                    .containsExactly(new NameState(true, null, null));
        }
    }
}
