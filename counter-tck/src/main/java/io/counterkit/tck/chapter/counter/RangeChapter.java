package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counter;
import io.counterkit.CounterOverflowException;
import io.counterkit.spi.Limits;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.model.Overflow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Chapter 6: range and overflow. */
public abstract class RangeChapter extends Chapter {
    @Test
    @Rule(value = "6.1", lookAt = "totals that pass through floating point")
    final void spec601_largeTotalsAreExact() {
        Counter counter = counter();
        counter.add(Limits.MAX_DELTA);
        counter.add(1);
        assertThat(elsewhere(counter).get()).isEqualTo(Limits.MAX_DELTA + 1);
        counter.add(Limits.MAX_DELTA);
        counter.add(-2);
        assertThat(elsewhere(counter).get()).isEqualTo(2 * Limits.MAX_DELTA - 1);
    }

    @Test
    @Rule(value = "6.2", lookAt = "the sum of the parts of a total; wrapping, saturation and conversion to a double")
    final void spec602_totalAboveTheRangeIsAnErrorAndComesBack() {
        Counter counter = counter();
        Overflow.toTheTop(counter);
        assertThat(elsewhere(counter).get()).isEqualTo(Limits.MAX_TOTAL);
        counter.add(1);
        assertOverflown(counter);
        counter.add(Limits.MAX_DELTA);
        assertOverflown(counter);
        counter.add(-Limits.MAX_DELTA);
        counter.add(-3);
        assertThat(elsewhere(counter).get()).isEqualTo(Limits.MAX_TOTAL - 2);
    }

    @Test
    @Rule(value = "6.3", lookAt = "the sum of the parts of a negative total")
    final void spec603_totalBelowTheRangeIsAnErrorAndComesBack() {
        Counter counter = counter();
        Overflow.toTheBottom(counter);
        assertThat(elsewhere(counter).get()).isEqualTo(-Limits.MAX_TOTAL);
        counter.add(-1);
        assertOverflown(counter);
        counter.add(3);
        assertThat(elsewhere(counter).get()).isEqualTo(-Limits.MAX_TOTAL + 2);
    }

    @Test
    @Rule(value = "6.4", lookAt = "whether a reset reads the total")
    final void spec604_resetLeadsOutOfAnOverflow() {
        Counter counter = counter();
        Overflow.above(counter);
        assertOverflown(counter);
        counter.reset();
        counter.add(4);
        assertThat(elsewhere(counter).get()).isEqualTo(4);
    }

    @Test
    @Rule(value = "6.5", lookAt = "whether a deletion reads the total")
    final void spec605_deletionLeadsOutOfAnOverflow() {
        Counter counter = counter();
        Overflow.above(counter);
        counter.delete();
        counter.add(4);
        assertThat(elsewhere(counter).get()).isEqualTo(4);
    }

    private void assertOverflown(Counter counter) {
        assertThatExceptionOfType(CounterOverflowException.class).isThrownBy(counter::get);
        assertThatExceptionOfType(CounterOverflowException.class)
                .isThrownBy(() -> elsewhere(counter).read(Duration.ZERO));
        assertThatExceptionOfType(CounterOverflowException.class)
                .as("the failure of a read with the shortest staleness bound")
                .isThrownBy(() -> elsewhere(counter).read(Duration.ofNanos(1)));
    }
}
