package io.counterkit.verification.broken.outcome;

import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Chapter 7, continued: changes that are sent again later, and batches whose requests have one result. */
public final class OutageFlaws {
    private OutageFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("reports a failed seal of a counter as applied", "7.11")
                        .counters(SwallowsFailuresOfSeals::new),
                Flaw.that("sends an unknown add again later, under another token", "7.11")
                        .counters(SendsAddsAgainLater::new),
                Flaw.that("sends a failed add again later, and reports it as not applied", "7.11")
                        .counters(SendsFailedAddsAgainLater::new),
                Flaw.that("sends an unknown append again later, under another token", "7.11")
                        .sequences(SendsAppendsAgainLater::new),
                Flaw.that("sends an unknown reset again later, under another token", "7.11")
                        .counters(SendsResetsAgainLater::new),
                Flaw.that("sends an unknown deletion again later, under another token", "7.11")
                        .counters(SendsDeletionsAgainLater::new),
                Flaw.that("reports all but the first of an unknown batch as not applied", "7.11")
                        .batched()
                        .counters(ReportsTheFirstOnly::new),
                Flaw.that("writes a batch counter by counter and reports the last result", "7.11")
                        .batched()
                        .counters(WritesOneByOne::new),
                Flaw.that("appends a batch entry by entry and reports the last result", "7.11")
                        .batched()
                        .sequences(AppendsOneByOne::new),
                Flaw.that("remembers only the last four commits", "7.15")
                        .backend(LastCommits::new, OutageFlaws::rememberingFew));
    }

    private static void later(Supplier<CompletableFuture<?>> call) {
        CompletableFuture<?> unused = Futures.done(true)
                .thenComposeAsync(go -> call.get(), CompletableFuture.delayedExecutor(30, TimeUnit.MILLISECONDS));
    }

    private static final class SwallowsFailuresOfSeals extends ForwardingCounterStore {
        SwallowsFailuresOfSeals(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return Futures.recover(
                    store.seal(name, forward, commit),
                    CounterException.class,
                    swallowed -> Futures.done(new Seal(forward, 0, 0)));
        }
    }

    private static final class SendsAddsAgainLater extends ForwardingCounterStore {
        SendsAddsAgainLater(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return Futures.recover(store.add(requests, commit), OutcomeUnknownException.class, lost -> {
                later(() -> store.add(requests, Commits.another(commit)));
                return CompletableFuture.failedFuture(lost);
            });
        }
    }

    private static final class SendsFailedAddsAgainLater extends ForwardingCounterStore {
        SendsFailedAddsAgainLater(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return Futures.recover(store.add(requests, commit), NotAppliedException.class, failure -> {
                later(() -> store.add(requests, commit));
                return CompletableFuture.failedFuture(failure);
            });
        }
    }

    private static final class SendsAppendsAgainLater extends ForwardingSequenceStore {
        SendsAppendsAgainLater(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return Futures.recover(store.append(sequence, requests, commit), OutcomeUnknownException.class, lost -> {
                later(() -> store.append(sequence, requests, Commits.another(commit)));
                return CompletableFuture.failedFuture(lost);
            });
        }
    }

    private static final class SendsResetsAgainLater extends ForwardingCounterStore {
        SendsResetsAgainLater(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return Futures.recover(store.reset(name, commit), OutcomeUnknownException.class, lost -> {
                later(() -> store.reset(name, Commits.another(commit)));
                return CompletableFuture.failedFuture(lost);
            });
        }
    }

    private static final class SendsDeletionsAgainLater extends ForwardingCounterStore {
        SendsDeletionsAgainLater(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return Futures.recover(store.delete(name, commit), OutcomeUnknownException.class, lost -> {
                later(() -> store.delete(name, Commits.another(commit)));
                return CompletableFuture.failedFuture(lost);
            });
        }
    }

    private static final class ReportsTheFirstOnly extends ForwardingCounterStore {
        ReportsTheFirstOnly(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return requests.size() == 1
                    ? store.add(requests, commit)
                    : Futures.recover(store.add(requests, commit), OutcomeUnknownException.class, lost -> {
                        List<Result<Void>> results = new ArrayList<>(Collections.nCopies(
                                requests.size(), Result.failed(new NotAppliedException("no reply", lost))));
                        results.set(0, Result.failed(lost));
                        return Futures.done(results);
                    });
        }
    }

    /** Writes each counter in a transaction of its own and reports the whole batch as not applied if one fails. */
    private static final class WritesOneByOne extends ForwardingCounterStore {
        WritesOneByOne(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            CompletableFuture<List<Result<Void>>> last = Futures.done(List.of());
            for (AddRequest request : requests) {
                last = last.thenCompose(done ->
                        store.add(List.of(request), request.token() == null ? Commits.another(commit) : commit));
            }
            return last.thenApply(result -> Collections.nCopies(requests.size(), result.get(0)));
        }
    }

    private static final class AppendsOneByOne extends ForwardingSequenceStore {
        AppendsOneByOne(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            CompletableFuture<List<Result<Entry>>> all = Futures.done(List.of());
            for (AppendRequest request : requests) {
                all = all.thenCompose(done -> store.append(
                                sequence, List.of(request), requests.size() == 1 ? commit : Commits.another(commit))
                        .thenApply(one ->
                                Stream.concat(done.stream(), one.stream()).toList()));
            }
            return all;
        }
    }

    /** The last commits. */
    private static final class LastCommits {
        private final Map<String, Boolean> tokens = Collections.synchronizedMap(new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                return size() > 4;
            }
        });
    }

    private static CounterBackend rememberingFew(CounterBackend right, LastCommits last) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                last.tokens.put(commit.token().value(), true);
                return store.add(requests, commit);
            }
        };
        return new ForwardingCounterBackend(right, counters, right.sequences()) {
            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
                return origin != null
                                && origin.kind() == ChangeTarget.Kind.COUNTER
                                && !last.tokens.containsKey(token.value())
                        ? Futures.done(new Resolution.NotApplied())
                        : backend.resolve(token, origin, call);
            }
        };
    }
}
