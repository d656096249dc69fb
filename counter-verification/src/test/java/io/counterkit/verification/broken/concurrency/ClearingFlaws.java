package io.counterkit.verification.broken.concurrency;

import io.counterkit.NamePage;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Pages;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapter 14: flaws of resets and deletions that only several operations and faults together reveal. */
public final class ClearingFlaws {
    private ClearingFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("returns an earlier total after a reset or deletion whose outcome is unknown", "14.1")
                        .counters(ReadsWhatItReadBefore::new),
                Flaw.that("omits a counter from its lists after a deletion that failed, until it adds to it", "14.1")
                        .counters(OmitsWhatItHasDeleted::new));
    }

    /** Answers from memory until a reset or a deletion succeeds. */
    private static final class ReadsWhatItReadBefore extends ForwardingCounterStore {
        private final Map<String, Result<Reading>> before = new ConcurrentHashMap<>();
        private final Set<String> unknown = ConcurrentHashMap.newKeySet();

        ReadsWhatItReadBefore(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return noting(name, store.reset(name, commit));
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return noting(name, store.delete(name, commit));
        }

        private CompletableFuture<Void> noting(String name, CompletableFuture<Void> clearing) {
            return clearing.whenComplete((done, failure) -> {
                if (failure == null) {
                    unknown.remove(name);
                } else if (io.counterkit.spi.Futures.unwrap(failure) instanceof OutcomeUnknownException) {
                    unknown.add(name);
                }
            });
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            if (names.size() != 1) {
                return store.read(names, maxStaleness, call);
            }
            String name = names.get(0);
            Result<Reading> known = before.get(name);
            if (known != null && unknown.contains(name)) {
                return Futures.done(List.of(known));
            }
            return store.read(names, maxStaleness, call).whenComplete((results, failure) -> {
                if (failure == null) {
                    before.put(name, results.get(0));
                }
            });
        }
    }

    private static final class OmitsWhatItHasDeleted extends ForwardingCounterStore {
        private final Set<String> deleted = ConcurrentHashMap.newKeySet();

        OmitsWhatItHasDeleted(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.forEach(request -> deleted.remove(request.name()));
            return store.add(requests, commit);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return store.delete(name, commit).whenComplete((done, failure) -> {
                if (failure != null) {
                    deleted.add(name);
                }
            });
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return Pages.filtered(store.names(prefix, cursor, limit, call), name -> !deleted.contains(name));
        }
    }
}
