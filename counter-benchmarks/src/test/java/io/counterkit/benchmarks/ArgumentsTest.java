package io.counterkit.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ArgumentsTest {
    @Test
    void namedArguments_haveNoPosition() {
        Arguments arguments = Arguments.of(new String[] {"20", "only=zipf", "1.5"}, "only");
        assertThat(arguments.numberAt(0, 7)).isEqualTo(20);
        assertThat(arguments.numberAt(1, 7)).isEqualTo(1.5);
        assertThat(arguments.numberAt(2, 7)).isEqualTo(7);
        assertThat(arguments.at(2, "none")).isEqualTo("none");
        assertThat(arguments.named("only", "")).isEqualTo("zipf");
        assertThat(arguments.named("prices", "else")).isEqualTo("else");
    }

    @Test
    void anUnknownName_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Arguments.of(new String[] {"onyl=zipf"}, "only"))
                .withMessage("argument \"onyl=zipf\": use one of these before the equals sign: [only]");
    }
}
