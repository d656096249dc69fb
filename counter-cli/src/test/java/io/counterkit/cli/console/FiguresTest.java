package io.counterkit.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
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
