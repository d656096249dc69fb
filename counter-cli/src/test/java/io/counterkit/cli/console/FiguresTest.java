package io.counterkit.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void left_isEmptyAtTheBeginningAndTheEnd() {
        assertThat(Figures.left(0, 50_000_000L)).isEmpty();
        assertThat(Figures.left(1, 50_000_000L)).isEmpty();
        assertThat(Figures.left(0.9999, 50_000_000L)).isEqualTo("about 1 s left");
        assertThat(Figures.left(0.5, 10_000_000_000L)).isEqualTo("about 10 s left");
        assertThat(Figures.left(0.01, 10_000_000_000L)).isEqualTo("about 17 min left");
        assertThat(Figures.left(1e-4, 10_000_000_000L)).isEqualTo("about 28 h left");
        assertThat(Figures.left(1e-9, 10_000_000_000L)).isEqualTo("about 999 days left");
    }

    @Test
    void percent_is100OnlyWhenAllIsDone() {
        assertThat(Figures.percent(0)).isEqualTo("  0 %");
        assertThat(Figures.percent(0.9999)).isEqualTo(" 99 %");
        assertThat(Figures.percent(1)).isEqualTo("100 %");
    }

    @Test
    void numbers_areGrouped() {
        assertThat(Figures.grouped(-1_234_567)).isEqualTo("-1,234,567");
        assertThat(Figures.count(1, "line", "lines")).isEqualTo("1 line");
        assertThat(Figures.count(0, "line", "lines")).isEqualTo("0 lines");
    }

    @Test
    void times_haveTheUnitThatFits() {
        assertThat(Figures.time(23_400_000)).isEqualTo("23 ms");
        assertThat(Figures.time(3_240_000_000L)).isEqualTo("3.2 s");
        assertThat(Figures.time(245_900_000_000L)).isEqualTo("4 min 5 s");
        assertThat(Figures.time(22_059_000_000_000L)).isEqualTo("6 h 7 min");
        assertThat(Figures.perSecond(10, 0)).isPositive();
    }

    @Test
    void bar_isFilledAsFarAsItIsDone() {
        assertThat(Figures.bar(0, 4)).isEqualTo("[    ]");
        assertThat(Figures.bar(0.5, 4)).isEqualTo("[=>  ]");
        assertThat(Figures.bar(1, 4)).isEqualTo("[====]");
        assertThat(Figures.bar(7, 4)).isEqualTo("[====]");
    }
}
