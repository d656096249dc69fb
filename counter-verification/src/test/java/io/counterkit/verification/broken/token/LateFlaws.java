package io.counterkit.verification.broken.token;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Chapter 5, continued: changes of one kind that are applied although their token was resolved as not applied. */
public final class LateFlaws {
    private LateFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("resolves the token of a deletion without recording the decision", "5.17")
                        .backend(Book::new, (right, book) -> new Undecided(right, book, book.deletions(right), null)),
                Flaw.that("resolves the token of a seal of a counter without recording the decision", "5.17")
                        .backend(Book::new, (right, book) -> new Undecided(right, book, book.seals(right), null)),
                Flaw.that("resolves the token of a seal of a sequence without recording the decision", "5.17")
                        .backend(
                                Book::new,
                                (right, book) ->
                                        new Undecided(right, book, right.counters(), book.sealsOfSequences(right))),
                Flaw.that("resolves the token of an erasure without recording the decision", "5.17")
                        .backend(
                                Book::new,
                                (right, book) -> new Undecided(right, book, right.counters(), book.erasures(right))),
                Flaw.that("resolves a caller's token of an add without recording the decision", "5.9", "5.17", "5.18")
                        .backend(Book::new, (right, book) -> new Undecided(right, book, book.addsOnce(right), null)),
                Flaw.that("resolves the token of several counters without recording the decision", "5.17")
                        .batched()
                        .backend(Book::new, (right, book) -> new Undecided(right, book, book.batches(right), null)),
                Flaw.that("reports a late add as applied although its token was resolved as not applied", "5.18")
                        .counters(ReportsLateAddsAsApplied::new),
                Flaw.that("reports a late append as applied although its token was resolved as not applied", "5.18")
                        .sequences(ReportsLateAppendsAsApplied::new),
                Flaw.that("overwrites an earlier import with a late one", "13.11")
                        .migration(() -> true, (right, nothing) -> new ImportsOver(right)),
                Flaw.that("reverts a subject with a late import", "13.11")
                        .migration(ConcurrentHashMap::new, TakesSubjectsBack::new),
                Flaw.that("restores an erased entry with a late copy", "13.11")
                        .backend(ConcurrentHashMap::new, LateFlaws::copyingOver));
    }

    /**
     * The applied changes of one kind, by token. Recorded after the change, and resolved without recording the
     * decision.
     */
    private static final class Book {
        private final Set<IdempotencyToken> known = ConcurrentHashMap.newKeySet();
        private final Map<IdempotencyToken, Resolution> applied = new ConcurrentHashMap<>();

        private <T> CompletableFuture<T> record(
                IdempotencyToken token,
                Resolution resolution,
                Commit commit,
                Function<Commit, CompletableFuture<T>> change) {
            known.add(token);
            return change.apply(Commits.another(commit)).whenComplete((done, failure) -> {
                Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                if (!(cause instanceof NotAppliedException)) {
                    applied.put(token, resolution);
                }
            });
        }

        CounterStore deletions(CounterBackend right) {
            return new ForwardingCounterStore(right.counters()) {
                @Override
                public CompletableFuture<Void> delete(String name, Commit commit) {
                    return record(commit.token(), new Resolution.Done(name), commit, own -> store.delete(name, own));
                }
            };
        }

        CounterStore seals(CounterBackend right) {
            return new ForwardingCounterStore(right.counters()) {
                @Override
                public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
                    return record(
                            commit.token(), new Resolution.Done(name), commit, own -> store.seal(name, forward, own));
                }
            };
        }

        CounterStore addsOnce(CounterBackend right) {
            return new ForwardingCounterStore(right.counters()) {
                @Override
                public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                    AddRequest add = requests.get(0);
                    IdempotencyToken token = add.token();
                    if (token == null || applied.containsKey(token)) {
                        return token == null ? store.add(requests, commit) : Futures.done(List.of(Result.applied()));
                    }
                    List<AddRequest> plain = List.of(new AddRequest(add.name(), add.delta(), null));
                    return record(
                            token, new Resolution.Added(add.name(), add.delta()), commit, own -> store.add(plain, own));
                }
            };
        }

        CounterStore batches(CounterBackend right) {
            return new ForwardingCounterStore(right.counters()) {
                @Override
                public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                    boolean isMerged = requests.stream()
                                    .filter(request -> request.token() == null)
                                    .count()
                            > 1;
                    Resolution done = new Resolution.Done(requests.get(0).name());
                    return isMerged
                            ? record(commit.token(), done, commit, own -> store.add(requests, own))
                            : store.add(requests, commit);
                }
            };
        }

        SequenceStore sealsOfSequences(CounterBackend right) {
            return new ForwardingSequenceStore(right.sequences()) {
                @Override
                public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
                    return record(
                            commit.token(),
                            new Resolution.Done(sequence),
                            commit,
                            own -> store.seal(sequence, forward, own));
                }
            };
        }

        SequenceStore erasures(CounterBackend right) {
            return new ForwardingSequenceStore(right.sequences()) {
                @Override
                public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
                    return record(
                            commit.token(),
                            new Resolution.Done(sequence),
                            commit,
                            own -> store.erase(sequence, number, own));
                }
            };
        }
    }

    private static final class Undecided extends ForwardingCounterBackend {
        private final Book book;

        Undecided(CounterBackend right, Book book, CounterStore counters, @Nullable SequenceStore sequences) {
            super(right, counters, sequences == null ? right.sequences() : sequences);
            this.book = book;
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
            return book.known.contains(token)
                    ? Futures.done(book.applied.getOrDefault(token, new Resolution.NotApplied()))
                    : backend.resolve(token, origin, call);
        }
    }

    private static final class ReportsLateAddsAsApplied extends ForwardingCounterStore {
        ReportsLateAddsAsApplied(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            CompletableFuture<List<Result<Void>>> added = store.add(requests, commit);
            return added.isDone()
                    ? added
                    : added.thenApply(results -> results.stream()
                            .map(result ->
                                    result.failure() instanceof TokenRefusedException ? Result.applied() : result)
                            .toList());
        }
    }

    private static final class ReportsLateAppendsAsApplied extends ForwardingSequenceStore {
        ReportsLateAppendsAsApplied(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            CompletableFuture<List<Result<Entry>>> appended = store.append(sequence, requests, commit);
            return appended.isDone()
                    ? appended
                    : appended.thenCombine(
                            store.read(sequence, new NumberRange(1, 1000), commit),
                            (results, entries) -> results.stream()
                                    .map(result -> result.failure() instanceof TokenRefusedException
                                            ? Result.of(entries.get(entries.size() - 1))
                                            : result)
                                    .toList());
        }
    }

    /** Checks for an earlier import in a separate step before it imports. */
    private static final class ImportsOver extends ForwardingMigrationStore {
        private final CounterBackend right;

        ImportsOver(CounterBackend right) {
            super(right.migration());
            this.right = right;
        }

        @Override
        public CompletableFuture<ImportedState> importBase(
                ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
            CompletableFuture<ImportedState> imported = store.importBase(kind, name, base, call);
            return imported.isDone() || kind == ChangeTarget.Kind.SEQUENCE
                    ? imported
                    : imported.thenCompose(first -> right.counters()
                            .add(
                                    List.of(new AddRequest(name, base.value() - first.value(), null)),
                                    Commits.lasting(call.remaining()))
                            .thenApply(added -> base));
        }
    }

    private static final class TakesSubjectsBack extends ForwardingMigrationStore {
        private final Map<String, Boolean> late;

        TakesSubjectsBack(CounterBackend right, Map<String, Boolean> late) {
            super(right.migration());
            this.late = late;
        }

        @Override
        public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
            CompletableFuture<Void> imported = store.importSubject(sequence, subject, isLive, call);
            return imported.isDone() ? imported : imported.thenRun(() -> late.put(sequence + " " + subject, isLive));
        }

        @Override
        public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
            return store.subject(sequence, subject, call)
                    .thenApply(live -> Optional.ofNullable(late.get(sequence + " " + subject))
                            .or(() -> live));
        }
    }

    private static CounterBackend copyingOver(CounterBackend right, Map<String, Entry> late) {
        ForwardingSequenceStore sequences = new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
                return store.read(sequence, range, call)
                        .thenApply(entries -> entries.stream()
                                .map(entry -> late.getOrDefault(sequence + " " + entry.number(), entry))
                                .toList());
            }
        };
        MigrationStore migration = new ForwardingMigrationStore(right.migration()) {
            @Override
            public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
                CompletableFuture<Void> copied = store.copy(sequence, entries, call);
                return copied.isDone()
                        ? copied
                        : copied.thenRun(
                                () -> entries.forEach(entry -> late.put(sequence + " " + entry.number(), entry)));
            }
        };
        return new WithMigration(right, right.counters(), sequences, migration);
    }
}
