package io.counterkit.tck.chapter.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CounterException;
import io.counterkit.Outcome;
import io.counterkit.Resolution;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.tck.internal.fault.CommittedChange;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.FaultPlan.InjectedFaults;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes below the API layer that are under way when their backend is closed.
 *
 * @param tasks send the changes and close the backend
 * @param connect connects the backend that is closed
 * @param observing another process
 * @param commits returns a new commit with a long deadline
 */
record ClosedCalls(
        ConcurrentTasks tasks, Supplier<CounterBackend> connect, CounterBackend observing, Supplier<Commit> commits) {
    /**
     * Makes a change with faults, closes its backend meanwhile, and then ends the faults. Checks that the change ends,
     * and that its outcome is true. Returns whether a fault hit a call.
     */
    boolean isHit(String label, CommittedChange change, FaultPlan plan, int call) {
        Commit commit = commits.get();
        assertThat(commit.token()).isNotNull();
        CounterBackend acting = connect.get();
        try {
            Future<List<CompletableFuture<?>>> sending;
            Future<?> closing;
            boolean isHit;
            try (InjectedFaults faults = plan.inject(tasks.faults(), call)) {
                sending = tasks.start(() -> List.of(change.send().apply(acting, commit)));
                ConcurrentTasks.await(() -> faults.isHit() || isAnswered(sending), ConcurrentTasks.PATIENCE);
                closing = tasks.start(acting::close);
                ConcurrentTasks.awaitBriefly(closing::isDone);
                isHit = faults.isHit();
            }
            Throwable failure = failureOf(label, ConcurrentTasks.result(sending).get(0), commit);
            ConcurrentTasks.result(closing);
            check(label, failure, resolve(commit, change));
            return isHit;
        } catch (Exception e) {
            throw new AssertionError(label, e);
        }
    }

    private static boolean isAnswered(Future<List<CompletableFuture<?>>> sending) {
        try {
            return sending.isDone() && sending.get().get(0).isDone();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } catch (ExecutionException e) {
            return true;
        }
    }

    private static @Nullable Throwable failureOf(String label, CompletableFuture<?> answer, Commit commit)
            throws InterruptedException {
        long longest = commit.remaining().plus(ConcurrentTasks.PATIENCE).toNanos();
        try {
            answer.get(longest, TimeUnit.NANOSECONDS);
            return null;
        } catch (ExecutionException e) {
            return Futures.unwrap(e);
        } catch (TimeoutException e) {
            throw new AssertionError(
                    label + ": no answer after its deadline; complete the futures of the calls that are under way", e);
        }
    }

    private Resolution resolve(Commit commit, CommittedChange change) {
        return observing.resolve(commit.token(), change.target(), commits.get()).join();
    }

    private static void check(String label, @Nullable Throwable failure, Resolution resolution) {
        boolean isKnown = failure == null
                || (failure instanceof CounterException stated && stated.outcome() == Outcome.NOT_APPLIED);
        if (isKnown) {
            assertThat(resolution.applied())
                    .as(
                            "%s, which %s: whether another process resolves it as applied",
                            label, failure == null ? "returned" : "failed as not applied with " + failure)
                    .isEqualTo(failure == null);
        }
    }
}
