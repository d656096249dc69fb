package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberRangeTest {
    @Test
    void bounds_areInclusive() {
        NumberRange range = new NumberRange(3, 5);

        assertThat(range.size()).isEqualTo(3);
        assertThat(List.of(2L, 3L, 5L, 6L)).extracting(range::contains).containsExactly(false, true, true, false);
        assertThat(new NumberRange(1, 1).size()).isEqualTo(1);
        assertThat(new NumberRange(1, Long.MAX_VALUE).size()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({"0, 5", "-1, 5", "5, 4", "1, 0", "1, -9223372036854775808"})
    void invalidBounds_areRefused(long from, long to) {
        assertThatThrownBy(() -> new NumberRange(from, to))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from " + from + " to " + to);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1",
        "1, 10, 1",
        "1, 10, 3",
        "1, 10, 10",
        "1, 10, 11",
        "5, 5, 8",
        "7, 1000, 13",
        "1, 9223372036854775807, 7",
        "9223372036854775800, 9223372036854775807, 3"
    })
    void parts_areConsecutiveAndDifferByAtMostOne(long from, long to, int parts) {
        NumberRange whole = new NumberRange(from, to);

        List<NumberRange> ranges = whole.partition(parts);

        assertThat(ranges).hasSize((int) Math.min(parts, whole.size()));
        assertThat(ranges.get(0).from()).isEqualTo(from);
        assertThat(ranges.get(ranges.size() - 1).to()).isEqualTo(to);
        for (int i = 1; i < ranges.size(); i++) {
            assertThat(ranges.get(i).from()).isEqualTo(ranges.get(i - 1).to() + 1);
        }
        long longest = ranges.stream().mapToLong(NumberRange::size).max().orElseThrow();
        long shortest = ranges.stream().mapToLong(NumberRange::size).min().orElseThrow();
        assertThat(longest - shortest).isBetween(0L, 1L);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void partitionIntoFewerThanOnePart_isRefused(int parts) {
        assertThatThrownBy(() -> new NumberRange(1, 10).partition(parts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("partition into " + parts + " parts");
    }
}
