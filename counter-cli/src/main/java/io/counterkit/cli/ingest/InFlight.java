package io.counterkit.cli.ingest;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.cli.backend.Retries;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The adds that were sent and not settled yet, of which there is a limited number. An add that failed is sent again a
 * number of times, under its token if it may have been applied. Threads of the backend only put answers into a queue;
 * everything else is done by the one thread that uses this.
 */
final class InFlight {
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(50);

    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final Queue<PendingAdd> pausing = new PriorityQueue<>((a, b) -> Long.signum(a.due - b.due));
    private final Counters counters;
    private final int limit;
    private final Unsettled unsettled;
    private final Runnable whileWaiting;
    private final AtomicInteger open = new AtomicInteger();
    private long repeats;

    /**
     * @param limit how many adds may be unsettled at once
     * @param unsettled gets those that could not be settled
     * @param whileWaiting called now and then while there is nothing to do but wait
     */
    InFlight(Counters counters, int limit, Unsettled unsettled, Runnable whileWaiting) {
        this.counters = counters;
        this.limit = limit;
        this.unsettled = unsettled;
        this.whileWaiting = whileWaiting;
    }

    /** Follows an add that was sent until it is settled, and waits until there is room for one more. */
    void follow(Tally tally, long delta, CompletableFuture<Void> reply) throws InterruptedException {
        if (reply.isDone() && !reply.isCompletedExceptionally()) {
            tally.applied(delta);
            return;
        }
        open.incrementAndGet();
        watch(new PendingAdd(tally, delta), reply.thenApply(applied -> true));
        settleArrived();
        while (open.get() >= limit) {
            await();
        }
    }

    /** Waits until all is settled. */
    void drain() throws InterruptedException {
        while (open.get() > 0) {
            await();
        }
    }

    /** How many adds are not settled. Any thread may ask. */
    int open() {
        return open.get();
    }

    /** How often an add was sent once more. */
    long repeats() {
        return repeats;
    }

    /** Settles what was answered meanwhile, without waiting. */
    void settleArrived() {
        for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
            settle(answer);
        }
        sendDue();
    }

    private void await() throws InterruptedException {
        long untilDue = pausing.isEmpty() ? TICK : pausing.element().due - System.nanoTime();
        Answer answer = answers.poll(Math.min(TICK, untilDue), TimeUnit.NANOSECONDS);
        if (answer != null) {
            settle(answer);
        }
        settleArrived();
        whileWaiting.run();
    }

    private void sendDue() {
        while (!pausing.isEmpty() && pausing.element().due - System.nanoTime() <= 0) {
            PendingAdd add = pausing.remove();
            add.attempts++;
            watch(add, add.resolving ? resolve(add) : repeat(add));
        }
    }

    private CompletableFuture<Boolean> repeat(PendingAdd add) {
        repeats++;
        IdempotencyToken token = add.token;
        CompletableFuture<Void> reply = token == null
                ? add.tally.counter().add(add.delta)
                : add.tally.counter().add(add.delta, token);
        return reply.thenApply(done -> true);
    }

    private CompletableFuture<Boolean> resolve(PendingAdd add) {
        return counters.async().resolve(Objects.requireNonNull(add.token)).thenApply(Resolution::applied);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure is in the answer
    private void watch(PendingAdd add, CompletableFuture<Boolean> applied) {
        applied.whenComplete((isApplied, failure) -> answers.add(new Answer(add, isApplied, failure)));
    }

    private void settle(Answer answer) {
        PendingAdd add = answer.add();
        Throwable failure =
                answer.failure() instanceof CompletionException wrapper ? wrapper.getCause() : answer.failure();
        if (failure == null) {
            conclude(add, Boolean.TRUE.equals(answer.applied()));
            return;
        }
        add.why = String.valueOf(failure.getMessage());
        if (failure instanceof OutcomeUnknownException unknown) {
            add.token = unknown.token();
        }
        if (add.attempts < Retries.ATTEMPTS && !isFinal(failure)) {
            pause(add);
        } else if (add.token == null) {
            conclude(add, false);
        } else if (!add.resolving) {
            // That it is refused now does not say that an earlier attempt was not applied.
            add.resolving = true;
            add.attempts = 0;
            pause(add);
        } else {
            open.decrementAndGet();
            unsettled.unknown(add);
        }
    }

    private void pause(PendingAdd add) {
        add.due = System.nanoTime() + Retries.pauseAfter(add.attempts);
        pausing.add(add);
    }

    private void conclude(PendingAdd add, boolean applied) {
        open.decrementAndGet();
        if (applied) {
            add.tally.applied(add.delta);
        } else {
            unsettled.notApplied(add);
        }
    }

    /** Whether trying again would change nothing. */
    private static boolean isFinal(Throwable failure) {
        return failure instanceof SealedException || failure instanceof TokenRefusedException;
    }

    private record Answer(
            PendingAdd add,
            @Nullable Boolean applied,
            @Nullable Throwable failure) {}
}
