package io.counterkit.cli.ingest;

import io.counterkit.AsyncCounter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The adds that were sent and have no outcome yet, up to a limit. Retries an add that failed, with its token if it may
 * have been applied. Threads of the backend only queue replies; one thread does everything else.
 */
final class InFlight implements AutoCloseable {
    private static final int ATTEMPTS = 10;
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(5), Duration.ofSeconds(1));
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** What is to be done with the replies that have arrived, and after the pauses that are over. */
    private final BlockingQueue<Runnable> due = new LinkedBlockingQueue<>();

    private final Timers timers = Timers.named("counter-ingest");
    private final Counters counters;
    private final int limit;
    private final Runnable whileWaiting;
    private final AtomicInteger pending = new AtomicInteger();
    private long retries;
    private long undecided;

    /**
     * @param limit the most adds without an outcome
     * @param whileWaiting called repeatedly while this waits
     */
    InFlight(Counters counters, int limit, Runnable whileWaiting) {
        this.counters = counters;
        this.limit = limit;
        this.whileWaiting = whileWaiting;
    }

    private static final class PendingAdd {
        final Tally tally;
        final long delta;
        final long lines;

        /** Whether it has a token that a later run repeats it with, so that it need not be decided now. */
        final boolean isRepeatable;

        int attempts = 1;
        boolean isInDoubt;

        /** The token of an earlier attempt that may have been applied; null if there was none. */
        @Nullable IdempotencyToken token;

        String why = "";

        /** Whether its token is resolved from now on, instead of another attempt. */
        boolean isResolving;

        PendingAdd(Tally tally, long delta, long lines, @Nullable IdempotencyToken token) {
            this.tally = tally;
            this.delta = delta;
            this.lines = lines;
            this.token = token;
            this.isRepeatable = token != null;
        }
    }

    /**
     * Records an add that was sent, and waits until there is room for another one.
     *
     * @param lines how many lines it counts
     * @param token the token that it was sent with, and a later run can repeat it with; null for none
     */
    void add(Tally tally, long delta, long lines, @Nullable IdempotencyToken token, CompletableFuture<Void> reply)
            throws InterruptedException {
        if (reply.isDone() && !reply.isCompletedExceptionally()) {
            tally.applied(delta, lines);
            return;
        }
        pending.incrementAndGet();
        await(new PendingAdd(tally, delta, lines, token), reply.thenApply(applied -> true));
        handleReplies();
        while (pending.get() >= limit) {
            poll();
        }
    }

    /** Waits until every add has its outcome. */
    void drain() throws InterruptedException {
        while (pending.get() > 0) {
            poll();
        }
    }

    /** Returns how many adds have no outcome yet; any thread may call this. */
    int pending() {
        return pending.get();
    }

    /** Returns how often an add was sent again. */
    long retries() {
        return retries;
    }

    /** Returns how many adds with tokens ended without a final outcome. */
    long undecided() {
        return undecided;
    }

    /** Handles the replies that have arrived, without waiting. */
    void handleReplies() {
        for (Runnable next = due.poll(); next != null; next = due.poll()) {
            next.run();
        }
    }

    private void poll() throws InterruptedException {
        Runnable next = due.poll(TICK_NANOS, TimeUnit.NANOSECONDS);
        if (next != null) {
            next.run();
        }
        handleReplies();
        whileWaiting.run();
    }

    private CompletableFuture<Boolean> retry(PendingAdd add) {
        retries++;
        AsyncCounter counter = add.tally.counter;
        CompletableFuture<Void> reply = add.token == null ? counter.add(add.delta) : counter.add(add.delta, add.token);
        return reply.thenApply(done -> true);
    }

    private CompletableFuture<Boolean> resolve(PendingAdd add) {
        return counters.async().resolve(Objects.requireNonNull(add.token)).thenApply(Resolution::applied);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the reply holds a failure
    private void await(PendingAdd add, CompletableFuture<Boolean> applied) {
        applied.whenComplete((isApplied, failure) -> due.add(() -> {
            if (failure == null) {
                end(add, isApplied);
            } else {
                handle(add, Futures.unwrap(failure));
            }
        }));
    }

    private void handle(PendingAdd add, Throwable failure) {
        // A retry would fail in the same way.
        boolean isRefused = failure instanceof SealedException || failure instanceof TokenRefusedException;
        add.why = String.valueOf(failure.getMessage());
        if (failure instanceof OutcomeUnknownException unknown) {
            add.token = unknown.token();
            add.isInDoubt = true;
        }
        if (add.attempts < ATTEMPTS && !isRefused) {
            pause(add);
        } else if (add.isInDoubt && !add.isRepeatable && !add.isResolving) {
            // A refusal now does not mean that an earlier attempt was not applied.
            add.isResolving = true;
            add.attempts = 0;
            pause(add);
        } else {
            // A refusal decides a repeatable add, since the store looks for the token first.
            boolean isDecided = add.isRepeatable ? isRefused : !add.isInDoubt;
            undecided += (add.isRepeatable && !isDecided) ? 1 : 0;
            end(add, (add.isInDoubt && !isDecided) ? null : false);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // this is closed after the last pause
    private void pause(PendingAdd add) {
        timers.after(BACKOFF.nanos(add.attempts))
                .thenRun(() -> due.add(() -> {
                    add.attempts++;
                    await(add, add.isResolving ? resolve(add) : retry(add));
                }));
    }

    /** Ends an add that was applied or not; null if that is unknown. */
    private void end(PendingAdd add, @Nullable Boolean isApplied) {
        pending.decrementAndGet();
        if (isApplied == null) {
            add.tally.unknown(add.delta, Objects.requireNonNull(add.token));
        } else if (isApplied) {
            add.tally.applied(add.delta, add.lines);
        } else {
            add.tally.notApplied(add.delta, add.lines, add.why);
        }
    }

    @Override
    public void close() {
        timers.close();
    }
}
