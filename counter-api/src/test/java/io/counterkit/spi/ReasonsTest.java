package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
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

    @Test
    void circularCauses_areFollowedToAnEnd() {
        Exception outer = new IllegalStateException((String) null);
        outer.initCause(new ConnectException().initCause(outer));
        assertThat(Reasons.of(outer)).isEqualTo("illegal state, without a reason");
        assertThat(Reasons.inOneLine(outer)).startsWith("illegal state, without a reason");
    }

    @Test
    void names_areCounted_unlessThereIsOne() {
        assertThat(Reasons.names(List.of("likes"))).isEqualTo("'likes'");
        assertThat(Reasons.names(List.of("likes", "views"))).isEqualTo("2 names");
        assertThat(Reasons.names(List.of())).isEqualTo("0 names");
    }

    @Test
    void oneLine_hasTheInnermostCause_andNoClasses() {
        Exception refused = new ConnectException("Connection refused");
        assertThat(Reasons.inOneLine(new IllegalStateException("a.b.Status: UNAVAILABLE\nand more", refused)))
                .isEqualTo("UNAVAILABLE: Connection refused");
        assertThat(Reasons.inOneLine(new IllegalStateException("I/O error: Connection refused", refused)))
                .isEqualTo("I/O error: Connection refused");
        assertThat(Reasons.inOneLine(new IllegalStateException("it failed.", new UnknownHostException("no.host"))))
                .isEqualTo("it failed: unknown host no.host");
        assertThat(Reasons.inOneLine(new ClosedChannelException())).isEqualTo("closed channel, without a reason");
    }
}
