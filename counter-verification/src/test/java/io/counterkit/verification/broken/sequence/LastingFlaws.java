package io.counterkit.verification.broken.sequence;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Chapters 5, 10, 11 and 13: what an entry, a token or a seal is later, after other changes. */
public final class LastingFlaws {
    private LastingFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("remembers only the last commit of appends to a sequence", "5.23")
                        .backend(LastCommits::new, (right, last) -> forgetting(right, last, Keeps.LAST_APPEND)),
                Flaw.that("forgets the commit of an append whose entry is erased", "5.23")
                        .backend(LastCommits::new, (right, last) -> forgetting(right, last, Keeps.UNTIL_ERASED)),
                Flaw.that("remembers only the last commit of an erasure of a sequence", "5.23")
                        .backend(LastCommits::new, (right, last) -> forgetting(right, last, Keeps.LAST_ERASURE)),
                Flaw.that("checks the change of an append before the seal", "11.12")
                        .backend(LastingFlaws::refusingUnfitFirst),
                Flaw.that("erases the seal of a sequence as an entry", "4.8").sequences(ErasesTheSeal::new),
                Flaw.that("renews the time of a seal when the name is sealed again", "13.10")
                        .backend(ConcurrentHashMap<String, Instant>::new, LastingFlaws::renewing),
                Flaw.that("copies entries of before 1970 with that year", "13.8")
                        .migration(CopiesAfter1970::new),
                Flaw.that("reads entries from memory that were read before", "10.13")
                        .sequences(Remembers::new),
                Flaw.that("drops fields that have the names of its columns", "10.23")
                        .sequences(HasColumns::new),
                Flaw.that("sends failed appends again when it is closed", "5.24")
                        .backend(LastingFlaws::flushing));
    }

    private enum Keeps {
        LAST_APPEND,
        UNTIL_ERASED,
        LAST_ERASURE
    }

    /** The tokens that are forgotten, and the last one of each sequence. */
    private record LastCommits(Set<IdempotencyToken> forgotten, Map<String, List<IdempotencyToken>> known) {
        LastCommits() {
            this(ConcurrentHashMap.newKeySet(), new ConcurrentHashMap<>());
        }

        void add(String sequence, IdempotencyToken token, boolean isOnlyOne) {
            List<IdempotencyToken> tokens = known.computeIfAbsent(sequence, unknown -> new ArrayList<>());
            if (isOnlyOne) {
                forgotten.addAll(tokens);
            }
            tokens.add(token);
        }
    }

    private static CounterBackend forgetting(CounterBackend right, LastCommits last, Keeps keeps) {
        SequenceStore sequences = new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                IdempotencyToken token = commit.token();
                return store.append(sequence, requests, commit).thenApply(results -> {
                    if (keeps == Keeps.LAST_APPEND) {
                        last.add(sequence, token, true);
                    } else if (keeps == Keeps.UNTIL_ERASED && results.get(0).value() != null) {
                        last.add(sequence + results.get(0).orThrow().number(), token, false);
                    }
                    return results;
                });
            }

            @Override
            public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
                IdempotencyToken token = commit.token();
                return store.erase(sequence, number, commit).thenApply(isErased -> {
                    if (keeps == Keeps.UNTIL_ERASED) {
                        last.forgotten().addAll(last.known().getOrDefault(sequence + number, List.of()));
                    } else if (keeps == Keeps.LAST_ERASURE) {
                        last.add(sequence, token, true);
                    }
                    return isErased;
                });
            }
        };
        return new ForwardingCounterBackend(right, right.counters(), sequences) {
            @Override
            public CompletableFuture<Resolution> resolve(
                    IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
                return last.forgotten().contains(token)
                        ? Futures.done(new Resolution.NotApplied())
                        : backend.resolve(token, target, call);
            }
        };
    }

    private static CounterBackend refusingUnfitFirst(CounterBackend right) {
        return new ForwardingCounterBackend(right, right.counters(), new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                return store.append(sequence, requests, commit).thenApply(results -> {
                    List<Result<Entry>> all = new ArrayList<>(results);
                    for (int i = 0; i < all.size(); i++) {
                        AppendRequest request = requests.get(i);
                        String subject = request.subject();
                        if (subject != null
                                && all.get(i).failure() instanceof SealedException
                                && right.migration()
                                                .subject(sequence, subject, commit)
                                                .join()
                                                .orElse(false)
                                        == (request.change() == Change.ADDED)) {
                            all.set(i, Result.failed(new ChangeRefusedException("'" + subject + "'")));
                        }
                    }
                    return all;
                });
            }
        });
    }

    private static final class ErasesTheSeal extends ForwardingSequenceStore {
        ErasesTheSeal(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return store.tail(sequence, commit)
                    .thenCompose(tail -> tail.seal() != null && number == tail.last() + 1
                            ? Futures.done(true)
                            : store.erase(sequence, number, commit));
        }
    }

    private static CounterBackend renewing(CounterBackend right, Map<String, Instant> times) {
        SequenceStore sequences = new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
                return store.seal(sequence, forward, commit).thenApply(seal -> {
                    times.put(sequence, Instant.now());
                    return seal;
                });
            }
        };
        MigrationStore migration = new ForwardingMigrationStore(right.migration()) {
            @Override
            public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
                return store.states(kind, names, call).thenApply(states -> {
                    List<NameState> renewed = new ArrayList<>(states);
                    for (int i = 0; i < renewed.size(); i++) {
                        Instant time = times.get(names.get(i));
                        NameState state = renewed.get(i);
                        if (time != null && kind == ChangeTarget.Kind.SEQUENCE) {
                            renewed.set(i, new NameState(state.isPresent(), state.seal(), time));
                        }
                    }
                    return renewed;
                });
            }
        };
        return new WithMigration(right, right.counters(), sequences, migration);
    }

    private static final class CopiesAfter1970 extends ForwardingMigrationStore {
        CopiesAfter1970(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
            return store.copy(
                    sequence, entries.stream().map(CopiesAfter1970::late).toList(), call);
        }

        private static Entry late(Entry entry) {
            Instant time = entry.appendedAt().isBefore(Instant.EPOCH) ? Instant.EPOCH : entry.appendedAt();
            return EntryFlaws.with(entry, time, entry.fields());
        }
    }

    /** Keeps the entries that this process has read. */
    private static final class Remembers extends ForwardingSequenceStore {
        private final Map<String, Entry> read = new ConcurrentHashMap<>();

        Remembers(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries -> entries.stream()
                            .map(entry -> read.computeIfAbsent(sequence + " " + entry.number(), unknown -> entry))
                            .toList());
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            read.remove(sequence + " " + number);
            return store.erase(sequence, number, commit);
        }
    }

    private static final class HasColumns extends ForwardingSequenceStore {
        private static final Predicate<String> IS_COLUMN =
                List.of("number", "subject", "change", "live_count", "appended_at")::contains;

        HasColumns(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries ->
                            entries.stream().map(HasColumns::withoutColumns).toList());
        }

        private static Entry withoutColumns(Entry entry) {
            Map<String, Object> fields = entry.fields().entrySet().stream()
                    .filter(field -> !IS_COLUMN.test(field.getKey()))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            return EntryFlaws.with(entry, entry.appendedAt(), fields);
        }
    }

    private static CounterBackend flushing(CounterBackend right) {
        Queue<Runnable> failed = new ConcurrentLinkedQueue<>();
        SequenceStore sequences = new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                return store.append(sequence, requests, commit).whenComplete((results, failure) -> {
                    if (failure != null && io.counterkit.spi.Futures.unwrap(failure) instanceof NotAppliedException) {
                        failed.add(() -> store.append(sequence, requests, Commits.lasting(Duration.ofSeconds(9)))
                                .join());
                    }
                });
            }
        };
        return new ForwardingCounterBackend(right, right.counters(), sequences) {
            @Override
            public void close() {
                failed.forEach(Runnable::run);
                failed.clear();
                super.close();
            }
        };
    }
}
