package io.counterkit.verification.broken.concurrency;

import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapter 4, continued: batches that look first, and are stored later. Single changes are right. */
public final class LateBatchFlaws {
    private LateBatchFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("adds in a batch to a total of before a deletion, at the same version", "4.15")
                        .backend(
                                Versions::new,
                                (right, versions) -> Intercepted.of(
                                        right,
                                        call -> isBatch(call)
                                                ? versions.addToTotals(right, call)
                                                : versions.counting(call))),
                Flaw.that("looks in a batch for tokens before it knows that a counter is as it was", "4.15")
                        .backend(
                                Versions::new,
                                (right, versions) -> Intercepted.of(
                                        right,
                                        call -> isBatch(call)
                                                ? versions.addOnce(right, call)
                                                : versions.counting(call))));
    }

    private static boolean isBatch(Sent call) {
        return call.method().equals("CounterStore.add")
                && call.<List<?>>argument(0).size() > 1;
    }

    /** The number of changes of each present counter, and the tokens of adds. */
    private static final class Versions {
        private final Map<String, Integer> versions = new ConcurrentHashMap<>();
        private final Set<IdempotencyToken> tokens = ConcurrentHashMap.newKeySet();

        private List<Integer> of(List<String> names) {
            return names.stream().map(name -> versions.getOrDefault(name, 0)).toList();
        }

        /** Passes a call on, and then counts its changes. */
        CompletableFuture<Object> counting(Sent call) {
            return call.<Object>passOn().thenApply(answer -> {
                switch (call.method()) {
                    case "CounterStore.add" -> count(call.argument(0), answer);
                    case "CounterStore.reset" -> versions.merge(call.argument(0), 1, Integer::sum);
                    case "CounterStore.delete" -> versions.remove(call.<String>argument(0));
                    default -> {}
                }
                return answer;
            });
        }

        private void count(List<AddRequest> requests, Object results) {
            for (int i = 0; i < requests.size(); i++) {
                AddRequest request = requests.get(i);
                versions.merge(request.name(), 1, Integer::sum);
                if (request.token() != null && isApplied(results, i)) {
                    tokens.add(request.token());
                }
            }
        }

        private static boolean isApplied(Object results, int index) {
            return ((List<?>) results).get(index) instanceof Result<?> result && result.isApplied();
        }

        private static List<String> namesOf(List<AddRequest> requests) {
            return requests.stream().map(AddRequest::name).toList();
        }

        private static CompletableFuture<List<Result<Reading>>> totals(CounterBackend right, List<String> names) {
            return right.counters().read(names, Duration.ZERO, Commits.own());
        }

        /** Reads, and stores the sums if the versions are the same. */
        CompletableFuture<Object> addToTotals(CounterBackend right, Sent call) {
            List<AddRequest> requests = call.argument(0);
            List<String> names = namesOf(requests);
            List<Integer> before = of(names);
            return totals(right, names)
                    .thenCompose(read -> totals(right, names).thenCompose(now -> {
                        if (!of(names).equals(before)) {
                            return addToTotals(right, call);
                        }
                        return counting(call).thenCompose(results -> {
                            Result<Reading> was = read.get(0);
                            Result<Reading> is = now.get(0);
                            long difference = was.isApplied() && is.isApplied() && isApplied(results, 0)
                                    ? was.orThrow().value() - is.orThrow().value()
                                    : 0;
                            return addMore(right, requests.get(0).name(), difference, results);
                        });
                    }));
        }

        /** Looks for the first token, reads, and adds if the versions are the same. */
        CompletableFuture<Object> addOnce(CounterBackend right, Sent call) {
            List<AddRequest> requests = call.argument(0);
            List<String> names = namesOf(requests);
            List<Integer> before = of(names);
            AddRequest first = requests.get(0);
            boolean isNew = first.token() != null && !tokens.contains(first.token());
            return totals(right, names).thenCompose(now -> {
                if (!of(names).equals(before)) {
                    return addOnce(right, call);
                }
                boolean isRepeated = isNew && tokens.contains(first.token());
                return counting(call)
                        .thenCompose(results -> addMore(right, first.name(), isRepeated ? first.delta() : 0, results));
            });
        }

        private static CompletableFuture<Object> addMore(
                CounterBackend right, String name, long delta, Object results) {
            return delta == 0
                    ? CompletableFuture.completedFuture(results)
                    : right.counters()
                            .add(List.of(new AddRequest(name, delta, null)), Commits.own())
                            .thenApply(added -> results);
        }
    }
}
