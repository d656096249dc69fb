package io.counterkit.migration.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.NotAppliedException;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls to a store that answers on a thread of its own. */
class CallerLoopTest {
    private final Timers timers = Timers.named("test");
    private final CallerLoop loop = new CallerLoop(Duration.ofSeconds(20), timers);
    private final CompletableFuture<String> reply = new CompletableFuture<>();

    @AfterEach
    void close() {
        timers.close();
    }

    private static void runOnAnotherThread(Runnable answer) throws InterruptedException {
        Thread thread = new Thread(answer);
        thread.start();
        thread.join();
    }

    @Test
    void answer_completesOnTheWaitingThread() throws InterruptedException {
        CompletableFuture<Thread> thread = loop.call(call -> reply).thenApply(answer -> Thread.currentThread());

        runOnAnotherThread(() -> reply.complete("yes"));

        assertThat(loop.await(thread, "asking")).isSameAs(Thread.currentThread());
    }

    @Test
    void failure_completesOnTheWaitingThread() throws InterruptedException {
        CompletableFuture<Thread> thread = loop.call(call -> reply).handle((answer, failure) -> Thread.currentThread());

        runOnAnotherThread(() -> reply.completeExceptionally(new NotAppliedException("no")));

        assertThat(loop.await(thread, "asking")).isSameAs(Thread.currentThread());
    }

    @Test
    void failureOfALaterAttempt_completesOnTheWaitingThread() throws InterruptedException {
        CompletableFuture<Thread> thread =
                loop.callAfter(1, call -> reply).handle((answer, failure) -> Thread.currentThread());

        runOnAnotherThread(() -> reply.completeExceptionally(new NotAppliedException("no")));

        assertThat(loop.await(thread, "asking")).isSameAs(Thread.currentThread());
    }
}
