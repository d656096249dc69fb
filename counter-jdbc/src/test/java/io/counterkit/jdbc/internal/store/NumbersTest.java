package io.counterkit.jdbc.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void runs_areShort() {
        assertThat(Numbers.encode(List.of(7L, 8L, 9L))).isEqualTo("7+3");
        assertThat(Numbers.encode(List.of(0L, 0L, 5L, 7L, 0L))).isEqualTo("0+2,5+1,7+1,0+1");
    }

    @Test
    void numbers_areReadAsTheyWereWritten() {
        for (List<Long> numbers : List.of(
                List.of(1L),
                List.of(0L, 1L, 2L, 0L, 3L),
                List.of(Long.MAX_VALUE - 1, Long.MAX_VALUE),
                List.of(0L, 0L))) {
            assertThat(Numbers.decode(Numbers.encode(numbers))).isEqualTo(numbers);
        }
    }

    @Test
    void otherTexts_areRefused() {
        for (String text : List.of("", "7", "a+1", "1+b", "1+1,")) {
            assertThatExceptionOfType(NumberFormatException.class).as(text).isThrownBy(() -> Numbers.decode(text));
        }
    }
}
