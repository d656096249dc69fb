package io.counterkit.tck.internal.pair;

import io.counterkit.IdempotencyToken;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import io.counterkit.tck.internal.fault.Batches;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Batches that are paired with other operations. A batch has an add to the counter of the trial, and one to another
 * counter.
 */
final class PairedBatches {
    /** A name as long as those of the trials. */
    private static final String SAMPLE = "n".repeat(80);

    private PairedBatches() {}

    /** Returns the batches that a backend accepts. */
    static List<PairedOperation> of(Kind kind, CounterBackend backend) {
        if (kind == Kind.COUNTER) {
            return Batches.accepts(backend.counters(), adds(SAMPLE, IdempotencyToken.of(SAMPLE), SAMPLE + "/beside"))
                    ? List.of(
                            batch("an add in a batch", (process, scene) -> add(process, scene, null)),
                            batch(
                                    "an add with a token in a batch",
                                    (process, scene) -> add(process, scene, scene.token())))
                    : List.of();
        }
        return List.of(); // a backend may append the entries of a batch one by one, and a seal may come between them
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
            return "applied, and " + added + " in the other counter";
        });
    }

    private static CompletableFuture<String> answer(Supplier<String> sent) {
        try {
            return CompletableFuture.completedFuture(sent.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(Futures.unwrap(e));
        }
    }
}
