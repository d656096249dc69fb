package io.counterkit.tck.internal.pair;

import io.counterkit.Change;
import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.SealedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import io.counterkit.tck.internal.fault.Batches;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Batches that meet other operations. A batch of adds has one for the name of the scene, and one beside it. A batch of
 * appends has two entries, which get consecutive numbers.
 */
final class PairedBatches {
    private static final List<AppendRequest> APPENDS = List.of(
            new AppendRequest(Change.ADDED, null, Map.of("value", "alone"), null),
            new AppendRequest(Change.ADDED, "s", Map.of("value", "s"), null));

    /** A name as long as those of the trials. */
    private static final String SAMPLE = "n".repeat(80);

    private PairedBatches() {}

    /** Returns the batches that a backend accepts. */
    static List<PairedOperation> of(Kind kind, CounterBackend backend) {
        if (kind == Kind.COUNTER) {
            BatchLimits limits = backend.counters().limits();
            int weight = adds(SAMPLE, IdempotencyToken.of(SAMPLE), SAMPLE).stream()
                    .mapToInt(backend.counters()::weight)
                    .sum();
            return isInLimits(limits, weight) && (limits.direct() || !limits.onePerName())
                    ? List.of(
                            batch("an add in a batch", (process, scene) -> add(process, scene, null)),
                            batch(
                                    "an add with a token in a batch",
                                    (process, scene) -> add(process, scene, scene.token())))
                    : List.of();
        }
        BatchLimits limits = backend.sequences().limits();
        int weight = APPENDS.stream().mapToInt(backend.sequences()::weight).sum();
        return isInLimits(limits, weight) && !limits.direct() // a direct store never gets two appends at once
                ? List.of(batch("a batch of appends", PairedBatches::append))
                : List.of();
    }

    private static boolean isInLimits(BatchLimits limits, int weight) {
        return limits.direct() || weight <= limits.maxWeight();
    }

    private static PairedOperation batch(String label, PairedOperation.Sent sent) {
        return new PairedOperation(label, Set.of(), false, "", false, sent);
    }

    private static List<AddRequest> adds(String name, @Nullable IdempotencyToken token, String beside) {
        return List.of(new AddRequest(name, 3, token), new AddRequest(beside, 1, null));
    }

    private static CompletableFuture<String> add(
            CounterBackend process, Scene scene, @Nullable IdempotencyToken token) {
        String beside = scene.name() + "/" + scene.commit().id();
        return answer(() -> {
            Result<Void> result = Batches.add(process.counters(), adds(scene.name(), token, beside), scene::commit)
                    .get(0);
            if (result.failure() != null) {
                throw result.failure();
            }
            long added = process.counters()
                    .read(List.of(beside), Duration.ZERO, scene.commit())
                    .join()
                    .get(0)
                    .orThrow()
                    .value();
            return "applied, and " + added + " beside it";
        });
    }

    private static CompletableFuture<String> append(CounterBackend process, Scene scene) {
        return answer(() -> Batches.appendAtOnce(process.sequences(), scene.name(), APPENDS, scene::commit).stream()
                .map(PairedBatches::shown)
                .collect(Collectors.joining(" and ")));
    }

    private static String shown(Result<Entry> result) {
        CounterException failure = result.failure();
        if (failure == null) {
            return PairedOperation.shown(result.orThrow());
        }
        return failure instanceof SealedException sealed
                ? "refused: " + sealed.seal()
                : failure.getClass().getSimpleName();
    }

    private static CompletableFuture<String> answer(Supplier<String> sent) {
        try {
            return CompletableFuture.completedFuture(sent.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(Futures.unwrap(e));
        }
    }
}
