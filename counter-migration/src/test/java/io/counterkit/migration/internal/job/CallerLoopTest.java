package io.counterkit.migration.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.NotAppliedException;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A store that answers on a thread of its own. */
class CallerLoopTest {
    private final Timers timers = Timers.named("test");
    private final CallerLoop loop = new CallerLoop(Duration.ofSeconds(20), timers);
    private final CompletableFuture<String> reply = new CompletableFuture<>();

    @AfterEach
    void close() {
        timers.close();
    }

    private static void elsewhere(Runnable answer) throws InterruptedException {
        Thread thread = new Thread(answer);
        thread.start();
        thread.join();
    }

    @Test
    void answer_comesOnTheThreadThatWaits() throws InterruptedException {
        CompletableFuture<Thread> told = loop.call(() -> reply).thenApply(answer -> Thread.currentThread());

        elsewhere(() -> reply.complete("yes"));

        assertThat(loop.await(told, "asking")).isSameAs(Thread.currentThread());
    }

    @Test
    void failure_comesThereToo() throws InterruptedException {
        CompletableFuture<Thread> told = loop.call(() -> reply).handle((answer, failure) -> Thread.currentThread());

        elsewhere(() -> reply.completeExceptionally(new NotAppliedException("no")));

        assertThat(loop.await(told, "asking")).isSameAs(Thread.currentThread());
    }

    @Test
    void failureOfALaterAttempt_comesThereToo() throws InterruptedException {
        CompletableFuture<Thread> told =
                loop.callAfter(1, () -> reply).handle((answer, failure) -> Thread.currentThread());

        elsewhere(() -> reply.completeExceptionally(new NotAppliedException("no")));

        assertThat(loop.await(told, "asking")).isSameAs(Thread.currentThread());
    }
}
