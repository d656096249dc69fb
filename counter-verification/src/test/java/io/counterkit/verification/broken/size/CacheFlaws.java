package io.counterkit.verification.broken.size;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Seal;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapters 3, 5 and 13, continued: what is kept for too few names, or for too long. */
public final class CacheFlaws {
    private CacheFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("remembers the seals of the last 50 counters", "13.16")
                        .backend(Latest::new, KeepsFewSeals::new),
                Flaw.that("remembers the last 50 imports", "13.16").migration(Latest::new, KeepsFewImports::new),
                Flaw.that("remembers the last 50 imported subjects", "13.16")
                        .migration(Latest::new, KeepsFewSubjects::new),
                Flaw.that("remembers the last 50 decisions", "5.25").backend(Latest::new, KeepsFewDecisions::new),
                Flaw.that("remembers the tokens of the last 300 appends", "5.25")
                        .sequences(Latest::new, KeepsFewTokens::new),
                Flaw.that("remembers the last 20 commits of adds", "5.25").backend(Latest::new, KeepsFewCommits::new),
                Flaw.that("returns totals of many names from a cache as fresh", "3.21")
                        .counters(CachesMany::new));
    }

    /** The texts that were added last. */
    private static final class Latest {
        private final Set<String> all = ConcurrentHashMap.newKeySet();
        private final Set<String> kept = new LinkedHashSet<>();

        synchronized void add(String text, int most) {
            if (all.add(text)) {
                kept.add(text);
            }
            if (kept.size() > most) {
                kept.remove(kept.iterator().next());
            }
        }

        synchronized boolean isForgotten(String text) {
            return all.contains(text) && !kept.contains(text);
        }
    }

    private static final class KeepsFewSeals extends ForwardingCounterBackend {
        private final Latest seals;

        KeepsFewSeals(CounterBackend backend, Latest seals) {
            super(
                    backend,
                    new ForwardingCounterStore(backend.counters()) {
                        @Override
                        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
                            seals.add(name, 50);
                            return store.seal(name, forward, commit);
                        }
                    },
                    backend.sequences());
            this.seals = seals;
        }

        @Override
        public MigrationStore migration() {
            return new ForwardingMigrationStore(backend.migration()) {
                @Override
                public CompletableFuture<List<NameState>> states(Kind kind, List<String> names, Call call) {
                    return store.states(kind, names, call).thenApply(states -> {
                        List<NameState> known = new ArrayList<>(states);
                        for (int i = 0; i < names.size(); i++) {
                            if (kind == Kind.COUNTER && seals.isForgotten(names.get(i))) {
                                known.set(i, new NameState(states.get(i).isPresent(), null, null));
                            }
                        }
                        return known;
                    });
                }
            };
        }
    }

    private static final class KeepsFewImports extends ForwardingMigrationStore {
        private final Latest imports;

        KeepsFewImports(CounterBackend backend, Latest imports) {
            super(backend.migration());
            this.imports = imports;
        }

        @Override
        public CompletableFuture<ImportedState> importBase(Kind kind, String name, ImportedState base, Call call) {
            imports.add(kind + name, 50);
            return store.importBase(kind, name, base, call);
        }

        @Override
        public CompletableFuture<List<Optional<ImportedState>>> bases(Kind kind, List<String> names, Call call) {
            return store.bases(kind, names, call).thenApply(bases -> {
                List<Optional<ImportedState>> known = new ArrayList<>(bases);
                for (int i = 0; i < names.size(); i++) {
                    if (imports.isForgotten(kind + names.get(i))) {
                        known.set(i, Optional.empty());
                    }
                }
                return known;
            });
        }
    }

    private static final class KeepsFewSubjects extends ForwardingMigrationStore {
        private final Latest subjects;

        KeepsFewSubjects(CounterBackend backend, Latest subjects) {
            super(backend.migration());
            this.subjects = subjects;
        }

        @Override
        public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
            subjects.add(sequence + subject, 50);
            return store.importSubject(sequence, subject, isLive, call);
        }

        @Override
        public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
            return subjects.isForgotten(sequence + subject)
                    ? Futures.done(Optional.empty())
                    : store.subject(sequence, subject, call);
        }
    }

    private static final class KeepsFewDecisions extends ForwardingCounterBackend {
        private final Latest decisions;

        KeepsFewDecisions(CounterBackend backend, Latest decisions) {
            super(
                    backend,
                    new ForwardingCounterStore(backend.counters()) {
                        @Override
                        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                            return store.add(
                                    requests.stream()
                                            .map(request -> isForgotten(decisions, request.token())
                                                    ? new AddRequest(request.name(), request.delta(), null)
                                                    : request)
                                            .toList(),
                                    commit);
                        }
                    },
                    backend.sequences());
            this.decisions = decisions;
        }

        private static boolean isForgotten(Latest decisions, @Nullable IdempotencyToken token) {
            return token != null && decisions.isForgotten(token.value());
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            return backend.resolve(token, target, call).thenApply(resolution -> {
                if (!resolution.applied()) {
                    decisions.add(token.value(), 50);
                }
                return resolution;
            });
        }
    }

    private static final class KeepsFewTokens extends ForwardingSequenceStore {
        private final Latest tokens;

        KeepsFewTokens(SequenceStore store, Latest tokens) {
            super(store);
            this.tokens = tokens;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            List<AppendRequest> sent = new ArrayList<>();
            for (AppendRequest request : requests) {
                IdempotencyToken token = request.token();
                boolean isForgotten = token != null && tokens.isForgotten(token.value());
                sent.add(
                        isForgotten
                                ? new AppendRequest(request.change(), request.subject(), request.fields(), null)
                                : request);
                if (token != null) {
                    tokens.add(token.value(), 300);
                }
            }
            return store.append(sequence, sent, commit);
        }
    }

    private static final class KeepsFewCommits extends ForwardingCounterBackend {
        private final Latest commits;

        KeepsFewCommits(CounterBackend backend, Latest commits) {
            super(
                    backend,
                    new ForwardingCounterStore(backend.counters()) {
                        @Override
                        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                            if (commit.isTokenMade()) {
                                commits.add(commit.token().value(), 20);
                            }
                            return store.add(requests, commit);
                        }
                    },
                    backend.sequences());
            this.commits = commits;
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            return commits.isForgotten(token.value())
                    ? Futures.done(new Resolution.NotApplied())
                    : backend.resolve(token, target, call);
        }
    }

    private static final class CachesMany extends ForwardingCounterStore {
        private final Map<String, Result<Reading>> cache = new ConcurrentHashMap<>();

        CachesMany(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            CompletableFuture<List<Result<Reading>>> read = store.read(names, maxStaleness, call);
            return names.size() == 1 || maxStaleness.compareTo(Duration.ofMinutes(1)) < 0
                    ? read
                    : read.thenApply(totals -> {
                        List<Result<Reading>> cached = new ArrayList<>();
                        for (int i = 0; i < names.size(); i++) {
                            Result<Reading> now = totals.get(i);
                            cached.add(cache.computeIfAbsent(names.get(i), name -> now));
                        }
                        return cached;
                    });
        }
    }
}
