package io.counterkit.tck.internal.fault;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.tck.internal.fault.LargeChanges.Parts;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Batches that are as large as a store accepts, below the API layer, for runs with faults. Every second request has a
 * token.
 *
 * @param stage where they are sent
 * @param most the most requests of a batch
 */
public record LargestBatches(Stage stage, int most) {
    /** How many requests a store gets that has no limits, since the API layer does not combine any for it. */
    private static final int FEW = 8;

    /** Returns adds of 1 to as many counters as a batch may have. */
    public Parts adds() {
        CounterStore store = stage.actingBackend().counters();
        BatchLimits limits = store.limits();
        List<AddRequest> requests = Batches.largest(
                limits,
                limits.onePerName() ? 1 : most(limits),
                store::weight,
                i -> new AddRequest(stage.name(), 1, token(i)));
        List<String> names = requests.stream().map(AddRequest::name).toList();
        return parts(
                requests.stream().map(AddRequest::token).toList(),
                commit -> store.add(requests, commit),
                i -> ChangeTarget.counter(names.get(i)),
                () -> {
                    Map<String, Long> totals =
                            stage.observing().readAll(names, Duration.ZERO).values();
                    return names.stream().map(totals::get).toList();
                });
    }

    /** Returns as many appends to one sequence as a batch may have. */
    public Parts appends() {
        SequenceStore store = stage.actingBackend().sequences();
        String name = stage.name();
        List<AppendRequest> requests = Batches.largest(
                store.limits(),
                most(store.limits()),
                store::weight,
                i -> new AppendRequest(Change.ADDED, null, Map.of("i", (long) i), token(i)));
        return parts(
                requests.stream().map(AppendRequest::token).toList(),
                commit -> store.append(name, requests, commit),
                i -> ChangeTarget.append(name, i),
                () -> {
                    List<Entry> entries = SequenceHistory.all(stage.observing().sequence(name));
                    SequenceHistory.checkOneTo(
                            entries.size(), entries.stream().map(Entry::number).toList(), "the numbers of the entries");
                    Map<Object, Long> counts = entries.stream()
                            .collect(Collectors.groupingBy(
                                    entry -> entry.fields().get("i"), Collectors.counting()));
                    return IntStream.range(0, requests.size())
                            .mapToObj(i -> counts.getOrDefault((long) i, 0L))
                            .toList();
                });
    }

    private static @Nullable IdempotencyToken token(int request) {
        return request % 2 == 0 ? null : IdempotencyToken.random();
    }

    /** Returns the most requests of a batch within these limits, if they are light enough. */
    private int most(BatchLimits limits) {
        return limits.direct() ? FEW : most;
    }

    /** Returns the requests of a batch as parts of one change. */
    private <T> Parts parts(
            List<@Nullable IdempotencyToken> tokens,
            Function<Commit, CompletableFuture<List<Result<T>>>> batch,
            IntFunction<ChangeTarget> targets,
            Supplier<List<Long>> applied) {
        Commit commit = stage.actingCommit();
        IdempotencyToken shared = commit.token();
        return new Parts() {
            @Override
            public List<? extends CompletableFuture<?>> send() {
                CompletableFuture<List<Result<T>>> sent = batch.apply(commit);
                return IntStream.range(0, tokens.size())
                        .mapToObj(i -> sent.handle((results, failure) -> {
                            IdempotencyToken own = tokens.get(i);
                            return BatchChanges.answer(own == null ? shared : own, i, results, failure);
                        }))
                        .toList();
            }

            @Override
            public List<Long> applied() {
                return applied.get();
            }

            @Override
            public boolean resolve(int part, OutcomeUnknownException unknown, Counters resolving) {
                IdempotencyToken own = tokens.get(part);
                return own == null
                        ? stage.observingBackend()
                                .resolve(shared, targets.apply(part), stage.commit())
                                .join()
                                .applied()
                        : Outcomes.isApplied(resolving, own);
            }
        };
    }
}
