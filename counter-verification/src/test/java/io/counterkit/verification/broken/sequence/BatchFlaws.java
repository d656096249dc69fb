package io.counterkit.verification.broken.sequence;

import io.counterkit.ChangeRefusedException;
import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Chapter 10: several appends in one batch. One append alone is right. */
public final class BatchFlaws {
    private static final int MOST_FIELDS = 1000;

    private BatchFlaws() {}

    public static List<Flaw> all() {
        List<Flaw> flaws = new ArrayList<>(StoredEntryFlaws.all());
        flaws.addAll(List.of(
                Flaw.that("counts refused appends of a batch as live", "10.19")
                        .sequences(store -> results(store, BatchFlaws::countRefused)),
                Flaw.that("counts repeated appends of a batch as live", "10.19").sequences(CountsRepeated::new),
                Flaw.that("keeps fields of an append for the next one of its batch", "10.19")
                        .sequences(KeepsFields::new),
                Flaw.that("fails a whole batch of appends because of the seal", "11.12")
                        .sequences(store ->
                                results(store, (requests, results) -> failFor(SealedException.class, results))),
                Flaw.that("fails a whole batch of appends because of a used token", "10.19")
                        .sequences(store ->
                                results(store, (requests, results) -> failFor(TokenRefusedException.class, results))),
                Flaw.that("appends without the token if that was resolved before, in a batch", "10.19")
                        .sequences(IgnoresRefusedTokens::new),
                Flaw.that("uses the token of a refused append of a batch", "10.19")
                        .backend(BatchFlaws::usingTokensOfRefused),
                Flaw.that("appends a batch in the order of its tokens, and returns its entries in that order", "10.19")
                        .batched()
                        .sequences(SortsByToken::new),
                Flaw.that("drops the fields of a batch beyond 1,000", "10.21")
                        .batched()
                        .sequences(DropsFields::new)));
        return flaws;
    }

    private interface Results {
        /** Returns the results of a batch of several appends, or throws its failure. */
        List<Result<Entry>> of(List<AppendRequest> requests, List<Result<Entry>> results);
    }

    /** Returns a store with other results of each batch that has several appends. */
    private static SequenceStore results(SequenceStore right, Results change) {
        return new ForwardingSequenceStore(right) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                CompletableFuture<List<Result<Entry>>> appended = store.append(sequence, requests, commit);
                return requests.size() == 1 ? appended : appended.thenApply(results -> change.of(requests, results));
            }
        };
    }

    private static List<Result<Entry>> countRefused(List<AppendRequest> requests, List<Result<Entry>> results) {
        List<Result<Entry>> counted = new ArrayList<>();
        long more = 0;
        for (Result<Entry> result : results) {
            more += result.failure() instanceof ChangeRefusedException ? 1 : 0;
            counted.add(result.value() == null ? result : Result.of(counting(result.orThrow(), more)));
        }
        return counted;
    }

    private static Entry counting(Entry entry, long more) {
        return new Entry(
                entry.number(),
                entry.appendedAt(),
                entry.change(),
                entry.subject(),
                entry.fields(),
                entry.liveCount() + more,
                entry.erased());
    }

    private static List<Result<Entry>> failFor(Class<? extends CounterException> failure, List<Result<Entry>> results) {
        for (Result<Entry> result : results) {
            if (failure.isInstance(result.failure())) {
                throw result.failure();
            }
        }
        return results;
    }

    /** Returns a live count that is too high for what follows an append that was applied before. */
    private static final class CountsRepeated extends ForwardingSequenceStore {
        CountsRepeated(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.tail(sequence, commit)
                    .thenCompose(tail -> store.append(sequence, requests, commit)
                            .thenApply(results -> {
                                List<Result<Entry>> counted = new ArrayList<>();
                                long more = 0;
                                for (Result<Entry> result : results) {
                                    boolean isOld = result.value() != null
                                            && result.orThrow().number() <= tail.last();
                                    counted.add(
                                            isOld || result.value() == null
                                                    ? result
                                                    : Result.of(counting(result.orThrow(), more)));
                                    more += isOld ? 1 : 0;
                                }
                                return counted;
                            }));
        }
    }

    /** Stores with an append also those fields of the previous one that it does not have. */
    private static final class KeepsFields extends ForwardingSequenceStore {
        KeepsFields(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            List<AppendRequest> stored = new ArrayList<>();
            Map<String, Object> row = new HashMap<>();
            for (AppendRequest request : requests) {
                row.putAll(request.fields());
                stored.add(new AppendRequest(request.change(), request.subject(), Map.copyOf(row), request.token()));
            }
            return store.append(sequence, stored, commit);
        }
    }

    private static final class IgnoresRefusedTokens extends ForwardingSequenceStore {
        IgnoresRefusedTokens(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit).thenCompose(results -> {
                AppendRequest last = requests.get(requests.size() - 1);
                Result<Entry> result = results.get(results.size() - 1);
                if (requests.size() == 1 || !(result.failure() instanceof TokenRefusedException)) {
                    return Futures.done(results);
                }
                AppendRequest without = new AppendRequest(last.change(), last.subject(), last.fields(), null);
                return store.append(sequence, List.of(without), Commits.another(commit))
                        .thenApply(again -> {
                            List<Result<Entry>> all = new ArrayList<>(results);
                            all.set(all.size() - 1, again.get(0));
                            return all;
                        });
            });
        }
    }

    private static CounterBackend usingTokensOfRefused(CounterBackend right) {
        return new ForwardingCounterBackend(right, right.counters(), results(right.sequences(), (requests, results) -> {
            for (int i = 0; i < requests.size(); i++) {
                if (results.get(i).failure() instanceof ChangeRefusedException
                        && requests.get(i).token() != null) {
                    right.resolve(requests.get(i).token(), null, Commits.lasting(Duration.ofSeconds(9)))
                            .join();
                }
            }
            return results;
        }));
    }

    private static final class DropsFields extends ForwardingSequenceStore {
        DropsFields(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            List<AppendRequest> stored = new ArrayList<>();
            int fields = 0;
            for (AppendRequest request : requests) {
                fields += request.fields().size();
                stored.add(
                        fields <= MOST_FIELDS
                                ? request
                                : new AppendRequest(request.change(), request.subject(), Map.of(), request.token()));
            }
            return store.append(sequence, stored, commit);
        }
    }

    private static final class SortsByToken extends ForwardingSequenceStore {
        SortsByToken(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(
                    sequence,
                    requests.stream()
                            .sorted(Comparator.comparing(request -> String.valueOf(request.token())))
                            .toList(),
                    commit);
        }
    }
}
