package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.ContentionException;
import io.counterkit.Entry;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** Sends batches as the API layer does. */
public final class Batches {
    private static final int MOST_ROUNDS = 50;

    private Batches() {}

    /** Returns whether a store accepts these adds in one batch. */
    public static boolean accepts(CounterStore store, List<AddRequest> requests) {
        BatchLimits limits = store.limits();
        boolean isOfOne = requests.stream().map(AddRequest::name).distinct().count() == 1;
        return isInLimits(limits, requests, store::weight) && (limits.direct() || !limits.onePerName() || isOfOne);
    }

    /** Returns whether a store accepts these appends in one batch. */
    public static boolean accepts(SequenceStore store, List<AppendRequest> requests) {
        return isInLimits(store.limits(), requests, store::weight);
    }

    private static <Q> boolean isInLimits(BatchLimits limits, List<Q> requests, ToIntFunction<Q> weight) {
        return limits.direct() || requests.stream().mapToInt(weight).sum() <= limits.maxWeight();
    }

    /**
     * Returns as many requests as fit into one batch, at most {@code most}. Checks that each fits into a batch.
     *
     * @param request creates the request at an index
     */
    public static <Q> List<Q> largest(BatchLimits limits, int most, ToIntFunction<Q> weight, IntFunction<Q> request) {
        List<Q> requests = new ArrayList<>();
        long total = 0;
        while (requests.size() < most) {
            Q next = request.apply(requests.size());
            int own = weight.applyAsInt(next);
            assertThat(own).as("the weight of %s", next).isBetween(1, limits.direct() ? own : limits.maxWeight());
            total += own;
            if (total > limits.maxWeight() && !limits.direct()) {
                break;
            }
            requests.add(next);
        }
        return requests;
    }

    /** Sends a batch. Sends requests whose result is a retry in another batch. */
    public static List<Result<Void>> add(CounterStore store, List<AddRequest> requests, Supplier<Commit> commits) {
        List<Result<Void>> results =
                new ArrayList<>(store.add(requests, commits.get()).join());
        assertThat(results)
                .as("the results of a batch of %s adds", requests.size())
                .hasSameSizeAs(requests);
        List<AddRequest> again = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            if (results.get(i).isRetry()) {
                again.add(requests.get(i));
            }
        }
        assertThat(again)
                .as("the adds of a batch that have to be sent again; at least one of the batch must have an outcome")
                .hasSizeLessThan(requests.size());
        if (!again.isEmpty()) {
            List<Result<Void>> decided = add(store, again, commits);
            for (int i = 0, next = 0; i < results.size(); i++) {
                if (results.get(i).isRetry()) {
                    results.set(i, decided.get(next++));
                }
            }
        }
        return results;
    }

    /** As {@link #add}, in batches that are as large as the store accepts. */
    public static List<Result<Void>> addInParts(
            CounterStore store, List<AddRequest> requests, Supplier<Commit> commits) {
        return inParts(requests, store.limits(), store::weight, part -> add(store, part, commits));
    }

    /**
     * Sends appends in batches that are as large as the store accepts. Sends requests again whose result is a retry, or
     * that failed because of contention.
     */
    public static List<Result<Entry>> append(
            SequenceStore store, String sequence, List<AppendRequest> requests, Supplier<Commit> commits) {
        return inParts(requests, store.limits(), store::weight, part -> appendAtOnce(store, sequence, part, commits));
    }

    private static <Q, R> List<Result<R>> inParts(
            List<Q> requests, BatchLimits limits, ToIntFunction<Q> weight, Function<List<Q>, List<Result<R>>> send) {
        int room = requests.stream()
                .mapToInt(request -> room(limits, weight.applyAsInt(request)))
                .min()
                .orElse(1);
        List<Result<R>> results = new ArrayList<>();
        for (int from = 0; from < requests.size(); from += room) {
            results.addAll(send.apply(requests.subList(from, Math.min(requests.size(), from + room))));
        }
        return results;
    }

    /** Sends appends in one batch, and again those whose result is a retry, or that failed because of contention. */
    public static List<Result<Entry>> appendAtOnce(
            SequenceStore store, String sequence, List<AppendRequest> requests, Supplier<Commit> commits) {
        List<Result<Entry>> results = new ArrayList<>(Collections.nCopies(requests.size(), Result.retry()));
        for (int round = 0; round < MOST_ROUNDS; round++) {
            List<Integer> open = IntStream.range(0, requests.size())
                    .filter(i -> isOpen(results.get(i)))
                    .boxed()
                    .toList();
            if (open.isEmpty()) {
                return results;
            }
            List<Result<Entry>> sent = store.append(
                            sequence, open.stream().map(requests::get).toList(), commits.get())
                    .join();
            assertThat(sent)
                    .as("the results of a batch of %s appends", open.size())
                    .hasSameSizeAs(open);
            for (int i = 0; i < open.size(); i++) {
                results.set(open.get(i), sent.get(i));
            }
        }
        return results;
    }

    private static boolean isOpen(Result<Entry> result) {
        return result.isRetry() || result.failure() instanceof ContentionException;
    }

    /** Returns how many requests fit into a batch if none is heavier than twice this weight, 8 at most. */
    public static int room(BatchLimits limits, int weight) {
        assertThat(weight).as("the weight of a request, which is 1 or more").isPositive();
        return limits.direct() ? 8 : Math.max(1, Math.min(8, limits.maxWeight() / (2 * weight)));
    }
}
