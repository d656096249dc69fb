package io.counterkit.verification.broken.concurrency;

import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.SealedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Joined;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Chapter 4, continued: backends that check a batch of several adds in a separate step, but not a single add. */
public final class AddRaceFlaws {
    private AddRaceFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("looks for the tokens of several adds in a separate step before it adds", "4.14")
                        .counters(ConcurrentHashMap::<IdempotencyToken>newKeySet, ChecksTokensFirst::new),
                Flaw.that("looks for the seals of several counters in a separate step before it adds", "4.14")
                        .backend(ConcurrentHashMap<String, Long>::new, AddRaceFlaws::checkingSealsFirst));
    }

    private static List<String> namesOf(List<AddRequest> requests) {
        return requests.stream().map(AddRequest::name).distinct().toList();
    }

    /** Adds under another token if the token was used since the check. */
    private static final class ChecksTokensFirst extends ForwardingCounterStore {
        private final Set<IdempotencyToken> used;

        ChecksTokensFirst(CounterStore store, Set<IdempotencyToken> used) {
            super(store);
            this.used = used;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            if (requests.size() == 1) {
                return store.add(requests, commit);
            }
            Set<IdempotencyToken> known = Set.copyOf(used);
            return store.read(namesOf(requests), Duration.ZERO, commit)
                    .thenCompose(checked -> store.add(
                            requests.stream()
                                    .map(request -> isUsedSince(known, request.token())
                                            ? new AddRequest(request.name(), request.delta(), IdempotencyToken.random())
                                            : request)
                                    .toList(),
                            commit))
                    .thenApply(results -> {
                        IntStream.range(0, requests.size())
                                .filter(i -> results.get(i).isApplied()
                                        && requests.get(i).token() != null)
                                .forEach(i -> used.add(requests.get(i).token()));
                        return results;
                    });
        }

        private boolean isUsedSince(Set<IdempotencyToken> known, @Nullable IdempotencyToken token) {
            return token != null && used.contains(token) && !known.contains(token);
        }
    }

    /** Adds to the totals of counters that were sealed since the check. */
    private static CounterBackend checkingSealsFirst(CounterBackend right, Map<String, Long> late) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                if (namesOf(requests).size() == 1) {
                    return store.add(requests, commit);
                }
                return right.migration()
                        .states(Kind.COUNTER, namesOf(requests), commit)
                        .thenCompose(states -> store.add(requests, commit).thenApply(results -> {
                            boolean wasOpen = states.stream().allMatch(state -> state.seal() == null);
                            return wasOpen ? addingBehindSeals(requests, results) : results;
                        }));
            }

            private List<Result<Void>> addingBehindSeals(List<AddRequest> requests, List<Result<Void>> results) {
                List<Result<Void>> changed = new ArrayList<>();
                for (int i = 0; i < requests.size(); i++) {
                    boolean isSealed = results.get(i).failure() instanceof SealedException;
                    if (isSealed) {
                        late.merge(requests.get(i).name(), requests.get(i).delta(), Long::sum);
                    }
                    changed.add(isSealed ? Result.applied() : results.get(i));
                }
                return changed;
            }

            @Override
            public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
                return store.read(names, maxStaleness, call)
                        .thenApply(results -> Joined.of(names, results, this::withLate));
            }

            private Result<Reading> withLate(String name, Result<Reading> result) {
                Long more = late.get(name);
                Reading reading = result.value();
                return more == null || reading == null
                        ? result
                        : Result.of(new Reading(reading.value() + more, reading.asOf(), reading.staleness()));
            }
        };
        return new ForwardingCounterBackend(right, counters, right.sequences());
    }
}
