package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;

/** Occupies every thread of the JDK's common pool until it is closed. */
public final class BusyCommonPool implements AutoCloseable {
    private final CountDownLatch end = new CountDownLatch(1);

    /** Occupies the threads, and returns when all are busy. */
    public BusyCommonPool() throws InterruptedException {
        int threads = ForkJoinPool.getCommonPoolParallelism();
        assertThat(threads)
                .as("threads of the common pool; with one, futures do not use it")
                .isGreaterThan(1);
        CountDownLatch busy = new CountDownLatch(threads);
        for (int i = 0; i < 16 * threads; i++) {
            ForkJoinPool.commonPool().execute(() -> {
                busy.countDown();
                awaitEnd();
            });
        }
        busy.await();
    }

    private void awaitEnd() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        end.countDown();
    }
}
