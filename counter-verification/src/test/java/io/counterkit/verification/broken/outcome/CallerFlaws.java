package io.counterkit.verification.broken.outcome;

import io.counterkit.NotAppliedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.CounterBackend;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Chapter 7, continued: callers that wait only while other calls are under way. */
public final class CallerFlaws {
    /** How many calls a process has under way. */
    private static final int MOST = 16;

    private static final int LONGEST_SECONDS = 3;

    /** Longer than a rule waits for an answer. */
    private static final int LONGEST_DEADLOCK_SECONDS = 40;

    private CallerFlaws() {}

    public static List<Flaw> all() {
        List<Flaw> flaws = new ArrayList<>(ListeningFlaws.all());
        flaws.addAll(DecidedCommitFlaws.all());
        flaws.addAll(List.of(
                Flaw.that("waits on its caller's thread while 16 calls are under way", "7.17")
                        .backend(CallerFlaws::limiting),
                Flaw.that("waits on its caller's thread for the last add to the counter", "7.17")
                        .backend(CallerFlaws::following),
                Flaw.that("answers a call under a lock that each call needs", "7.17")
                        .backend(CallerFlaws::answeringUnderALock),
                Flaw.that("reports a change as not applied that its caller's interrupt has left", "7.10")
                        .batched(BatchLimits.ofWeight(20).withCallerRuns())
                        .backend(right -> Intercepted.of(right, CallerFlaws::untilInterrupted))));
        return flaws;
    }

    /** Has a lock that is not reentrant, such as a permit. */
    private static CounterBackend answeringUnderALock(CounterBackend right) {
        Semaphore lock = new Semaphore(1);
        return Intercepted.of(right, call -> {
            if (acquire(lock, LONGEST_DEADLOCK_SECONDS)) {
                lock.release();
            }
            CompletableFuture<Object> answer = new CompletableFuture<>();
            CompletableFuture<?> unused = call.<Object>passOn().copy().whenCompleteAsync((value, failure) -> {
                boolean isFree = acquire(lock, LONGEST_DEADLOCK_SECONDS);
                if (failure == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(failure);
                }
                if (isFree) {
                    lock.release();
                }
            });
            return answer;
        });
    }

    private static CompletableFuture<?> untilInterrupted(Sent call) {
        CompletableFuture<?> answer = call.pass();
        try {
            boolean unused = answer.handle((value, failure) -> true).get();
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(new NotAppliedException("the caller was interrupted", e));
        } catch (ExecutionException e) {
            return answer;
        }
    }

    private static CounterBackend limiting(CounterBackend right) {
        Semaphore free = new Semaphore(MOST);
        return Intercepted.of(right, call -> {
            boolean isFree = acquire(free, LONGEST_SECONDS);
            CompletableFuture<?> answer = call.pass();
            return isFree ? answer.whenComplete((done, failure) -> free.release()) : answer;
        });
    }

    private static boolean acquire(Semaphore free, int seconds) {
        try {
            return free.tryAcquire(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static CounterBackend following(CounterBackend right) {
        Map<String, CompletableFuture<?>> last = new ConcurrentHashMap<>();
        return Intercepted.of(right, call -> {
            if (!call.method().equals("CounterStore.add")) {
                return call.pass();
            }
            AddRequest first = call.<List<AddRequest>>argument(0).get(0);
            return last.compute(first.name(), (name, before) -> after(before, call));
        });
    }

    private static CompletableFuture<?> after(@Nullable CompletableFuture<?> before, Sent call) {
        try {
            if (before != null) {
                before.get(LONGEST_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            return call.pass();
        }
        return call.pass();
    }
}
