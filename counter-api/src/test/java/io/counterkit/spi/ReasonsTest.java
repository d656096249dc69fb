package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ReasonsTest {
    @Test
    void message_isTheReason() {
        assertThat(Reasons.of(new IllegalStateException("disk full"))).isEqualTo("disk full");
    }

    @Test
    void wrappersOfFutures_areLeftOut() {
        assertThat(Reasons.of(new CompletionException(new ExecutionException(new IllegalStateException("disk full")))))
                .isEqualTo("disk full");
    }

    @Test
    void causeWithAMessage_speaksForOneWithout() {
        assertThat(Reasons.of(new IllegalStateException(null, new IllegalStateException(" ", new Exception("why")))))
                .isEqualTo("why");
    }

    @Test
    void failureWithoutAnyMessage_isNamedInWords() {
        assertThat(Reasons.of(new TimeoutException())).isEqualTo("the store did not answer in time");
        assertThat(Reasons.of(new CompletionException(new TimeoutException())))
                .isEqualTo("the store did not answer in time");
        assertThat(Reasons.of(new InterruptedException())).isEqualTo("the thread was interrupted");
        assertThat(Reasons.of(new ClosedChannelException())).isEqualTo("closed channel, without a reason");
        assertThat(Reasons.of(new RuntimeException() {})).isEqualTo("it gave no reason");
    }
}
