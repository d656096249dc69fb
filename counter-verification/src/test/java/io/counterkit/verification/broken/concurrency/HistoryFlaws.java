package io.counterkit.verification.broken.concurrency;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.Tail;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapter 14: flaws that only several operations and faults together reveal. */
public final class HistoryFlaws {
    private HistoryFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("sends an add again when the reply is lost, and reports only the last attempt", "14.1")
                        .counters(ReportsItsLastAdd::new),
                Flaw.that("returns an earlier total while the outcome of its own add is unknown", "14.1")
                        .counters(ReadsWhatItReadBefore::new),
                Flaw.that("sends an append again when the reply is lost, and reports only the last attempt", "14.2")
                        .sequences(ReportsItsLastAppend::new),
                Flaw.that("returns an earlier tail after a failure of its own append", "14.2")
                        .sequences(ReadsTheTailThatItReadBefore::new),
                Flaw.that("restores erased fields when the append is repeated", "14.2")
                        .sequences(ConcurrentHashMap::new, RestoresErasedFields::new));
    }

    private static final class ReportsItsLastAdd extends ForwardingCounterStore {
        ReportsItsLastAdd(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return Futures.recover(
                    store.add(requests, commit), OutcomeUnknownException.class, lost -> store.add(requests, commit));
        }
    }

    private static final class ReadsWhatItReadBefore extends ForwardingCounterStore {
        private final Map<String, Result<Reading>> before = new ConcurrentHashMap<>();
        private final Set<String> unknown = ConcurrentHashMap.newKeySet();

        ReadsWhatItReadBefore(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            String name = requests.get(0).name();
            return store.add(requests, commit).whenComplete((results, failure) -> {
                if (failure == null) {
                    unknown.remove(name);
                } else {
                    unknown.add(name);
                }
            });
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
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

    private static final class ReportsItsLastAppend extends ForwardingSequenceStore {
        ReportsItsLastAppend(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return Futures.recover(
                    store.append(sequence, requests, commit),
                    OutcomeUnknownException.class,
                    lost -> store.append(sequence, requests, commit));
        }
    }

    private static final class ReadsTheTailThatItReadBefore extends ForwardingSequenceStore {
        private final Map<String, Tail> before = new ConcurrentHashMap<>();
        private final Set<String> failed = ConcurrentHashMap.newKeySet();

        ReadsTheTailThatItReadBefore(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit).whenComplete((results, failure) -> {
                if (failure != null) {
                    failed.add(sequence);
                }
            });
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            Tail known = before.get(sequence);
            if (known != null && failed.contains(sequence)) {
                return Futures.done(known);
            }
            return store.tail(sequence, call).whenComplete((tail, failure) -> {
                if (failure == null) {
                    before.put(sequence, tail);
                }
            });
        }
    }

    private static final class RestoresErasedFields extends ForwardingSequenceStore {
        private final Map<IdempotencyToken, Entry> restored;

        RestoresErasedFields(SequenceStore store, Map<IdempotencyToken, Entry> restored) {
            super(store);
            this.restored = restored;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            IdempotencyToken token = requests.get(0).token();
            return store.append(sequence, requests, commit).thenApply(results -> {
                Entry entry = results.get(0).value();
                if (token != null && entry != null && entry.erased()) {
                    restored.put(token, withFields(entry, requests.get(0).fields()));
                }
                return results;
            });
        }

        private static Entry withFields(Entry entry, Map<String, Object> fields) {
            return new Entry(
                    entry.number(),
                    entry.appendedAt(),
                    entry.change(),
                    entry.subject(),
                    fields,
                    entry.liveCount(),
                    false);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries -> entries.stream().map(this::restored).toList());
        }

        private Entry restored(Entry entry) {
            return restored.values().stream()
                    .filter(other -> other.withoutFields().equals(entry))
                    .findFirst()
                    .orElse(entry);
        }
    }
}
