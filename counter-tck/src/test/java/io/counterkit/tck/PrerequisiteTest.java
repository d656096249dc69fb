package io.counterkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class PrerequisiteTest {
    @Test
    void present_isGiven() {
        assertThat(Prerequisite.required(() -> 7, false)).isEqualTo(7);
    }

    @Test
    void missing_failsAndSaysHowToSkip() {
        IOException failure = new IOException("no such store");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Prerequisite.required(
                        () -> {
                            throw failure;
                        },
                        false))
                .withMessageContaining("no such store (set the environment variable COUNTERKIT_OPTIONAL_BACKENDS=true")
                .withCause(failure);
    }

    @Test
    void missingWhereThatIsKnown_isSkippedWithTheReason() {
        assertThatExceptionOfType(TestAbortedException.class)
                .isThrownBy(() -> Prerequisite.required(
                        () -> {
                            throw new IOException("no such store");
                        },
                        true))
                .withMessageContaining("no such store (skipped");
    }
}
