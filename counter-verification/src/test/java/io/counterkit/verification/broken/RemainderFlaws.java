package io.counterkit.verification.broken;

import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapters 1, 6, 7, 10, 11 and 13, continued: what refusals leave, totals out of range, and large calls. */
final class RemainderFlaws {
    private static final int LARGE = 64 * 1024;
    private static final int VERY_LARGE = 1 << 20;

    private RemainderFlaws() {}

    static List<Flaw> all() {
        return List.of(
                Flaw.that("lists a sequence after a refused append", "1.6")
                        .sequences(ConcurrentHashMap::<String>newKeySet, ListsRefused::new),
                Flaw.that("lists a sequence after the token of an append was resolved", "1.6")
                        .backend(ConcurrentHashMap::<String>newKeySet, ListsResolved::new),
                Flaw.that("cuts a page of names after 64 KiB", "1.9").counters(CutsPages::new),
                Flaw.that("omits counters out of range from its lists", "6.8").counters(OmitsOverflown::new),
                Flaw.that("deletes a counter out of range that is reset", "6.8").counters(DeletesOverflown::new),
                Flaw.that("returns no state from an import that it sent again", "7.11")
                        .migration(ForgetsImport::new),
                Flaw.that("fails to look for the largest number", "10.13").sequences(OverflowsErasure::new),
                Flaw.that("declares larger batches of appends than it carries out", "10.24")
                        .batched(BatchLimits.ofWeight(500))
                        .sequences(DeclaresTooMuch::new),
                Flaw.that("weighs some appends more than a batch may weigh", "10.24")
                        .batched()
                        .sequences(WeighsTooMuch::new),
                Flaw.that("refuses every sealed counter of a batch with the first seal", "11.13")
                        .batched()
                        .counters(SharesSeals::new),
                Flaw.that("records the token of an add that a seal refuses", "11.13")
                        .counters(ConcurrentHashMap::<IdempotencyToken>newKeySet, RecordsRefused::new),
                Flaw.that("renews the time of a seal when it refuses another address", "11.13")
                        .backend(ConcurrentHashMap<String, Instant>::new, RenewsSeals::new),
                Flaw.that("returns the state of a repeated name once", "13.12").migration(ReturnsOnce::new),
                Flaw.that("drops what a copy has beyond a megabyte", "13.18").migration(CutsCopies::new),
                Flaw.that("cuts a range of entries after two megabytes", "13.18")
                        .sequences(CutsRanges::new));
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

    private static final class CutsPages extends ForwardingCounterStore {
        CutsPages(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, cursor, limit, call)
                    .thenApply(page -> new NamePage(
                            page.names()
                                    .subList(
                                            0,
                                            Math.min(page.names().size(), LARGE / Math.max(1, longest(page.names())))),
                            page.next()));
        }

        private static int longest(List<String> names) {
            return names.stream().mapToInt(String::length).max().orElse(0);
        }
    }

    private static boolean isOverflown(CounterStore store, String name) {
        Call call = Commits.lasting(Duration.ofSeconds(20));
        return store.read(List.of(name), Duration.ZERO, call).join().get(0).failure()
                instanceof CounterOverflowException;
    }

    private static final class OmitsOverflown extends ForwardingCounterStore {
        OmitsOverflown(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return Pages.filtered(store.names(prefix, cursor, limit, call), name -> !isOverflown(store, name));
        }
    }

    private static final class DeletesOverflown extends ForwardingCounterStore {
        DeletesOverflown(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return isOverflown(store, name) ? store.delete(name, commit) : store.reset(name, commit);
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

    private static final class OverflowsErasure extends ForwardingSequenceStore {
        OverflowsErasure(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return number + 1 < number
                    ? CompletableFuture.failedFuture(new IllegalStateException("a range without an end"))
                    : store.erase(sequence, number, commit);
        }
    }

    private static final class DeclaresTooMuch extends ForwardingSequenceStore {
        DeclaresTooMuch(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            long bytes = 0;
            for (AppendRequest request : requests) {
                IdempotencyToken token = request.token();
                String subject = request.subject();
                bytes += (token == null ? 0 : token.value().length()) + (subject == null ? 0 : subject.length());
            }
            return bytes > LARGE
                    ? CompletableFuture.failedFuture(new NotAppliedException("the request is too large"))
                    : store.append(sequence, requests, commit);
        }
    }

    private static final class WeighsTooMuch extends ForwardingSequenceStore {
        WeighsTooMuch(SequenceStore store) {
            super(store);
        }

        @Override
        public int weight(AppendRequest request) {
            String subject = request.subject();
            return 1 + (subject == null ? 0 : subject.length() / 10);
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

    private static final class ReturnsOnce extends ForwardingMigrationStore {
        ReturnsOnce(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NameState>> states(Kind kind, List<String> names, Call call) {
            return store.states(kind, List.copyOf(new LinkedHashSet<>(names)), call);
        }
    }

    /** Returns the first entries whose byte arrays have together at most this size. */
    private static List<Entry> cut(List<Entry> entries, int most) {
        List<Entry> kept = new ArrayList<>();
        long bytes = 0;
        for (Entry entry : entries) {
            for (Object value : entry.fields().values()) {
                bytes += value instanceof byte[] array ? array.length : 0;
            }
            if (bytes <= most) {
                kept.add(entry);
            }
        }
        return kept;
    }

    private static final class CutsCopies extends ForwardingMigrationStore {
        CutsCopies(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
            return store.copy(sequence, cut(entries, VERY_LARGE), call);
        }
    }

    private static final class CutsRanges extends ForwardingSequenceStore {
        CutsRanges(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call).thenApply(entries -> cut(entries, 2 * VERY_LARGE));
        }
    }
}
