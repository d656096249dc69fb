package io.counterkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class PrerequisiteTest {
    @Test
    void present_isGiven() {
        assertThat(Prerequisite.required(() -> 7, true)).isEqualTo(7);
    }

    @Test
    void missingWhereRequired_fails() {
        IOException failure = new IOException("no such store");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Prerequisite.required(
                        () -> {
                            throw failure;
                        },
                        true))
                .withMessageContaining("no such store (required, since COUNTERKIT_REQUIRE_BACKENDS is true)")
                .withCause(failure);
    }

    @Test
    void missing_isSkippedWithTheReason() {
        assertThatExceptionOfType(TestAbortedException.class)
                .isThrownBy(() -> Prerequisite.required(
                        () -> {
                            throw new IOException("no such store");
                        },
                        false))
                .withMessageContaining("no such store (skipped");
    }
}
