package io.counterkit.verification.broken.counter;

import io.counterkit.NotAppliedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Chapter 2, continued: backends that sum the adds of a batch to one counter. */
public final class BatchSumFlaws {
    private BatchSumFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("refuses a batch whose adds to one counter exceed the largest delta together", "2.3")
                        .batched()
                        .counters(ChecksTheSum::new),
                Flaw.that("sums the adds of a batch to one counter in floating point", "2.3")
                        .batched()
                        .counters(SumsInFloatingPoint::new));
    }

    private static final class ChecksTheSum extends ForwardingCounterStore {
        ChecksTheSum(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return sums(requests).values().stream().anyMatch(sum -> Math.abs(sum) > Limits.MAX_DELTA)
                    ? CompletableFuture.failedFuture(new NotAppliedException("the sum is out of bounds"))
                    : store.add(requests, commit);
        }
    }

    private static Map<String, Long> sums(List<AddRequest> requests) {
        return requests.stream()
                .collect(Collectors.groupingBy(AddRequest::name, Collectors.summingLong(AddRequest::delta)));
    }

    /** Changes the delta of one request for each counter by what the sum of all of them loses. */
    private static final class SumsInFloatingPoint extends ForwardingCounterStore {
        SumsInFloatingPoint(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit).thenCompose(results -> {
                List<AddRequest> lost = sums(requests).entrySet().stream()
                        .map(sum -> new AddRequest(sum.getKey(), loss(sum.getValue()), null))
                        .filter(add -> add.delta() != 0)
                        .toList();
                return lost.isEmpty() || !results.stream().allMatch(Result::isApplied)
                        ? CompletableFuture.completedFuture(results)
                        : store.add(lost, Commits.another(commit)).thenApply(added -> results);
            });
        }

        private static long loss(long sum) {
            return (long) (double) sum - sum;
        }
    }
}
