package io.counterkit.tck.internal.fault;

import io.counterkit.Change;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Batches below the API layer, in which one request is refused and another one was applied before. */
final class BatchChanges {
    /** Equal to no state, so that the comparison fails if a request that has to be refused is reported as applied. */
    private static final String NEVER = "no state, since the request has to be refused";

    private BatchChanges() {}

    static List<Operation<List<Part>>> all() {
        return List.of(
                new Operation<>(
                        "a batch of adds, one of which is refused and one of which was applied before",
                        Set.of("CounterStore.add"),
                        Set.of(Capability.SEAL_COUNTERS),
                        BatchChanges::adds),
                new Operation<>(
                        "a batch of appends, one of which is refused and one of which was applied before",
                        Set.of("SequenceStore.append"),
                        Set.of(),
                        BatchChanges::appends));
    }

    private static List<Part> adds(Stage stage) {
        String sealed = stage.counter(5);
        stage.observing().counter(sealed).seal("elsewhere");
        boolean onePerName = stage.actingBackend().counters().limits().onePerName();
        String name = stage.counter(6);
        String before = onePerName ? name : stage.counter(7);
        IdempotencyToken known = IdempotencyToken.random();
        stage.observing().counter(before).add(1, known);
        List<AddRequest> requests = new ArrayList<>();
        List<Expected> expected = new ArrayList<>();
        if (!onePerName) {
            requests.add(new AddRequest(stage.name(), 1, null));
            expected.add(new Expected(() -> 0, 0, 0));
            requests.add(new AddRequest(sealed, 1, IdempotencyToken.random()));
            expected.add(new Expected(() -> Changes.total(stage, sealed), 5L, NEVER));
            requests.add(new AddRequest(before, 1, known));
            expected.add(new Expected(() -> Changes.total(stage, before), 8L, 8L));
        }
        requests.add(new AddRequest(name, 2, IdempotencyToken.random()));
        long total = onePerName ? 7 : 6;
        expected.add(new Expected(() -> Changes.total(stage, name), total, total + 2));
        return parts(
                requests.stream().map(AddRequest::token).toList(),
                expected,
                () -> stage.actingBackend().counters().add(requests, stage.actingCommit()));
    }

    private static List<Part> appends(Stage stage) {
        String name = Changes.threeEntries(stage);
        IdempotencyToken known = IdempotencyToken.random();
        stage.observing().sequence(name).append(Map.of("mark", "before"), known);
        List<AppendRequest> requests = List.of(
                new AppendRequest(Change.ADDED, null, Map.of("mark", "first"), null),
                new AppendRequest(Change.UPDATED, "absent", Map.of("mark", "refused"), IdempotencyToken.random()),
                new AppendRequest(Change.ADDED, null, Map.of("mark", "before"), known),
                new AppendRequest(Change.ADDED, null, Map.of("mark", "last"), IdempotencyToken.random()));
        return parts(
                requests.stream().map(AppendRequest::token).toList(),
                List.of(
                        new Expected(() -> 0, 0, 0),
                        new Expected(() -> Changes.marks(stage.observing(), name, "refused"), 0L, NEVER),
                        new Expected(() -> Changes.marks(stage.observing(), name, "before"), 1L, 1L),
                        new Expected(() -> Changes.marks(stage.observing(), name, "last"), 0L, 1L)),
                () -> stage.actingBackend().sequences().append(name, requests, stage.actingCommit()));
    }

    private record Expected(Supplier<?> state, Object before, Object after) {}

    /** Returns a part for each request with a token of its own. The first one sends the batch. */
    private static <T> List<Part> parts(
            List<@Nullable IdempotencyToken> tokens,
            List<Expected> expected,
            Supplier<CompletableFuture<List<Result<T>>>> batch) {
        List<CompletableFuture<List<Result<T>>>> sent = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            int index = i;
            IdempotencyToken token = tokens.get(i);
            if (token == null) {
                continue;
            }
            parts.add(new Part(
                    () -> {
                        if (sent.isEmpty()) {
                            sent.add(batch.get());
                        }
                        return sent.get(0).handle((results, failure) -> answer(token, index, results, failure));
                    },
                    expected.get(i).state(),
                    expected.get(i).before(),
                    expected.get(i).after(),
                    token,
                    null,
                    null));
        }
        return parts;
    }

    /** Returns true if a request of a batch was applied; otherwise throws the failure that states its outcome. */
    static <T> boolean answer(
            IdempotencyToken token, int index, @Nullable List<Result<T>> results, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = Futures.unwrap(failure);
            throw cause instanceof NotAppliedException known
                    ? known
                    : new OutcomeUnknownException("the batch failed", token, cause);
        }
        Outcomes.throwUnlessApplied(Objects.requireNonNull(results).get(index));
        return true;
    }
}
