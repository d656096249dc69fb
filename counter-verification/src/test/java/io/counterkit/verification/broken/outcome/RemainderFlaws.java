package io.counterkit.verification.broken.outcome;

import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapters 1, 7 and 11, continued: what refused and repeated calls leave. */
public final class RemainderFlaws {
    private RemainderFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("lists a sequence after a refused append", "1.6")
                        .sequences(ConcurrentHashMap::<String>newKeySet, ListsRefused::new),
                Flaw.that("lists a sequence after the token of an append was resolved", "1.6")
                        .backend(ConcurrentHashMap::<String>newKeySet, ListsResolved::new),
                Flaw.that("returns no state from an import that it sent again", "7.11")
                        .migration(ForgetsImport::new),
                Flaw.that("refuses every sealed counter of a batch with the first seal", "11.13")
                        .batched()
                        .counters(SharesSeals::new),
                Flaw.that("records the token of an add that a seal refuses", "11.13")
                        .counters(ConcurrentHashMap::<IdempotencyToken>newKeySet, RecordsRefused::new),
                Flaw.that("renews the time of a seal when it refuses another address", "11.13")
                        .backend(ConcurrentHashMap<String, Instant>::new, RenewsSeals::new));
    }

    /** Returns the last page with further names. */
    private static NamePage with(NamePage page, Set<String> others, String prefix) {
        Set<String> names = new TreeSet<>(page.names());
        if (page.next() == null) {
            others.stream().filter(name -> name.startsWith(prefix)).forEach(names::add);
        }
        return new NamePage(List.copyOf(names), page.next());
    }

    private static class ListsMore extends ForwardingSequenceStore {
        final Set<String> others;

        ListsMore(SequenceStore store, Set<String> others) {
            super(store);
            this.others = others;
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, cursor, limit, call).thenApply(page -> with(page, others, prefix));
        }
    }

    private static final class ListsRefused extends ListsMore {
        ListsRefused(SequenceStore store, Set<String> refused) {
            super(store, refused);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            others.add(sequence);
            return store.append(sequence, requests, commit);
        }
    }

    private static final class ListsResolved extends ForwardingCounterBackend {
        private final Set<String> resolved;

        ListsResolved(CounterBackend backend, Set<String> resolved) {
            super(backend, backend.counters(), new ListsMore(backend.sequences(), resolved));
            this.resolved = resolved;
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            if (target != null && target.isAppend()) {
                resolved.add(target.name());
            }
            return backend.resolve(token, target, call);
        }
    }

    private static final class ForgetsImport extends ForwardingMigrationStore {
        ForgetsImport(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<ImportedState> importBase(Kind kind, String name, ImportedState base, Call call) {
            return Futures.recover(
                    store.importBase(kind, name, base, call),
                    CounterException.class,
                    failure -> store.importBase(kind, name, base, call)
                            .thenApply(first -> new ImportedState(first.origin(), false, 0, 0)));
        }
    }

    private static final class SharesSeals extends ForwardingCounterStore {
        SharesSeals(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit).thenApply(results -> {
                Seal first = null;
                List<Result<Void>> shared = new ArrayList<>();
                for (int i = 0; i < results.size(); i++) {
                    if (results.get(i).failure() instanceof SealedException refusal) {
                        first = first == null ? refusal.seal() : first;
                        shared.add(Result.failed(
                                new SealedException(requests.get(i).name(), first)));
                    } else {
                        shared.add(results.get(i));
                    }
                }
                return shared;
            });
        }
    }

    private static final class RecordsRefused extends ForwardingCounterStore {
        private final Set<IdempotencyToken> refused;

        RecordsRefused(CounterStore store, Set<IdempotencyToken> refused) {
            super(store);
            this.refused = refused;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            IdempotencyToken token = requests.get(0).token();
            return token != null && refused.contains(token)
                    ? CompletableFuture.failedFuture(new TokenRefusedException("used before"))
                    : store.add(requests, commit).thenApply(results -> {
                        if (token != null && results.get(0).failure() instanceof SealedException) {
                            refused.add(token);
                        }
                        return results;
                    });
        }
    }

    private static final class RenewsSeals extends ForwardingCounterBackend {
        private final Map<String, Instant> renewed;

        RenewsSeals(CounterBackend backend, Map<String, Instant> renewed) {
            super(
                    backend,
                    new ForwardingCounterStore(backend.counters()) {
                        @Override
                        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
                            return store.seal(name, forward, commit).whenComplete((seal, failure) -> {
                                if (failure != null) {
                                    renewed.put(name, Instant.now());
                                }
                            });
                        }
                    },
                    backend.sequences());
            this.renewed = renewed;
        }

        @Override
        public MigrationStore migration() {
            return new ForwardingMigrationStore(backend.migration()) {
                @Override
                public CompletableFuture<List<NameState>> states(Kind kind, List<String> names, Call call) {
                    return store.states(kind, names, call).thenApply(states -> {
                        List<NameState> changed = new ArrayList<>();
                        for (int i = 0; i < names.size(); i++) {
                            NameState state = states.get(i);
                            changed.add(new NameState(
                                    state.isPresent(),
                                    state.seal(),
                                    state.sealedAt() == null
                                            ? null
                                            : renewed.getOrDefault(names.get(i), state.sealedAt())));
                        }
                        return changed;
                    });
                }
            };
        }
    }
}
