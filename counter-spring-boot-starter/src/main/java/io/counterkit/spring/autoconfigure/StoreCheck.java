package io.counterkit.spring.autoconfigure;

import io.counterkit.CountersListener;
import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Reasons;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Checks a store by reading a counter that is absent. The store is up if it answers within {@code slowAfter}, and slow
 * if it needs longer. It is down if it answers with an error, or does not answer checks for {@code downAfter}.
 *
 * <p>A check waits {@code slowAfter} at most. A read without an answer continues, and later checks wait for the same
 * one, so that a slow store gets no further reads from its checks. Thread-safe.
 */
final class StoreCheck {
    /** A counter that no application has. */
    private static final String NAME = "counterkit.health";

    private final CounterBackend backend;
    private final Duration slowAfter;
    private final Duration downAfter;
    private @Nullable PendingRead pending;

    /** When the first of the reads without an answer started; null after an answer. */
    private @Nullable Long unansweredSince;

    /** @throws ConfigurationException if a time is out of range */
    StoreCheck(CounterBackend backend, CounterKitProperties.Health health) {
        this.backend = backend;
        this.slowAfter = checked("counterkit.health.slow-after", health.slowAfter());
        this.downAfter = checked("counterkit.health.down-after", health.downAfter());
        if (slowAfter.compareTo(downAfter) > 0) {
            throw new ConfigurationException(
                    "counterkit.health.slow-after is " + Durations.inWords(slowAfter)
                            + ", which is more than counterkit.health.down-after, " + Durations.inWords(downAfter)
                            + ".",
                    "Make counterkit.health.slow-after shorter, or counterkit.health.down-after longer.");
        }
    }

    private static Duration checked(String property, Duration time) {
        String noun = property.substring(property.lastIndexOf('.') + 1);
        ConfigurationException.set(property, time, value -> Limits.checkDuration(noun, value));
        return time;
    }

    /** The state of a store. */
    enum State {
        UP,
        SLOW,
        DOWN
    }

    /**
     * The result of a check.
     *
     * @param reason the time of the answer, or why there is none
     */
    record Finding(State state, String reason) {}

    /** Checks the store. */
    Finding check() {
        PendingRead read = startOrJoin();
        try {
            read.answer.get(slowAfter.toNanos(), TimeUnit.NANOSECONDS);
            boolean isSlow = isOlder(read.started, slowAfter); // an earlier check has started the read
            return new Finding(isSlow ? State.SLOW : State.UP, "answered within " + inWords(read.started));
        } catch (ExecutionException e) {
            return new Finding(State.DOWN, Reasons.of(e));
        } catch (TimeoutException e) {
            return unanswered(read);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unanswered(read);
        }
    }

    private synchronized Finding unanswered(PendingRead read) {
        Throwable error = read.error;
        if (error != null) {
            return new Finding(State.DOWN, Reasons.of(error));
        }
        long since = unansweredSince == null ? read.started : unansweredSince;
        return new Finding(
                isOlder(since, downAfter) ? State.DOWN : State.SLOW, "has not answered for " + inWords(since));
    }

    private synchronized PendingRead startOrJoin() {
        PendingRead running = pending;
        if (running != null && !isOlder(running.started, downAfter)) {
            return running;
        }
        PendingRead read = new PendingRead();
        pending = read;
        if (unansweredSince == null) {
            unansweredSince = read.started;
        }
        read.send();
        return read;
    }

    private synchronized void end(PendingRead read, boolean isAnswered) {
        if (isAnswered) {
            unansweredSince = null;
        }
        if (pending == read) {
            pending = null;
        }
    }

    private static boolean isOlder(long nanoTime, Duration age) {
        return System.nanoTime() - nanoTime > age.toNanos();
    }

    private static String inWords(long since) {
        return Durations.inWords(Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since)));
    }

    /** One read of the store. Receives the failures for which the backend retries it. */
    private final class PendingRead implements CountersListener {
        private final long started = System.nanoTime();
        private final CompletableFuture<Reading> answer = new CompletableFuture<>();

        /** The last error with which the store has answered; null if there was none. */
        private volatile @Nullable Throwable error;

        void send() {
            try {
                CompletableFuture<?> unused = backend.counters()
                        .read(List.of(NAME), Duration.ZERO, new Call(downAfter, this))
                        .thenApply(results -> results.get(0).orThrow())
                        .whenComplete(this::end);
            } catch (RuntimeException | Error e) {
                end(null, e);
            }
        }

        private void end(@Nullable Reading reading, @Nullable Throwable failure) {
            StoreCheck.this.end(this, failure == null);
            if (reading != null) {
                answer.complete(reading);
            } else {
                answer.completeExceptionally(failure == null ? new IllegalStateException("no reading") : failure);
            }
        }

        @Override
        public void onRetry(Throwable cause) {
            error = cause;
        }
    }
}
