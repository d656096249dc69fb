package io.counterkit.migration.internal.verify;

import io.counterkit.CounterOverflowException;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.migration.internal.job.RetryingCalls;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Compares a counter that has moved with its state at the source.
 *
 * @param isTargetQuiet whether nothing was added to the target since the counter moved
 */
public record TotalCheck(CounterBackend source, CounterBackend target, boolean isTargetQuiet, RetryingCalls calls) {
    /**
     * Compares one counter.
     *
     * @param differences receives each difference
     */
    public CompletableFuture<Void> compare(String name, Seal seal, ImportedState base, Consumer<String> differences) {
        return read(source, name)
                .thenCompose(old -> read(target, name).thenAccept(current -> {
                    check("the source", "was sealed at ", seal.last(), old, true, differences);
                    check("the target", "began with ", base.value(), current, isTargetQuiet, differences);
                }))
                .thenCompose(compared -> calls.retry(call -> source.migration().lateAdds(List.of(name), call)))
                .thenAccept(late -> {
                    if (late.get(0) != 0) {
                        differences.accept("software that ignores seals added " + late.get(0)
                                + " to the source after the seal: add it to the target");
                    }
                });
    }

    private CompletableFuture<Result<Reading>> read(CounterBackend store, String name) {
        return calls.retry(call -> store.counters().read(List.of(name), Duration.ZERO, call))
                .thenApply(results -> results.get(0));
    }

    private static void check(
            String side,
            String began,
            long expected,
            Result<Reading> read,
            boolean isUnchanged,
            Consumer<String> differences) {
        if (read.failure() != null) {
            if (!isReadable(expected) && read.failure() instanceof CounterOverflowException) {
                return; // a total that is out of range cannot be read, and is moved unchanged
            }
            differences.accept(side + " cannot be read: " + Reasons.of(read.failure()));
        } else if (isUnchanged && read.orThrow().value() != expected) {
            differences.accept(side + " " + began + expected + " and holds "
                    + read.orThrow().value());
        }
    }

    private static boolean isReadable(long total) {
        return -Limits.MAX_TOTAL <= total && total <= Limits.MAX_TOTAL;
    }
}
