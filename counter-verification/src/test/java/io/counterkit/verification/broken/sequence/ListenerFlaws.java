package io.counterkit.verification.broken.sequence;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.LiveListening;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** Chapter 15, continued: listeners that say that they are live, and report nothing any more. */
public final class ListenerFlaws {
    private static final int LIMIT = 30;
    private static final int REPORTS = 100;
    private static final int COLUMN = 63;

    private ListenerFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("replaces the listener of a sequence by the next one", "15.10")
                        .sequences(ReplacesListeners::new),
                Flaw.that("closes all listeners of a sequence with one of them", "15.10")
                        .sequences(ClosesAllListeners::new),
                Flaw.that("listens no more than 30 times", "15.10").sequences(ListensSeldom::new),
                Flaw.that("reports no more than 100 entries to a listener", "15.10")
                        .sequences(ReportsFewEntries::new),
                Flaw.that("reports no entry after a failed read", "15.10").sequences(EndsWithAFailure::new),
                Flaw.that("listens to no sequence whose name has more than 63 bytes", "15.10")
                        .sequences(ListensToShortNames::new),
                Flaw.that("reports only entries that add to listeners", "15.10")
                        .sequences(store -> new ReportsSome(store, request -> request.change() == Change.ADDED)),
                Flaw.that("reports no entries with tokens to listeners", "15.10")
                        .sequences(store -> new ReportsSome(store, request -> request.token() == null)),
                Flaw.that("ends the listeners of sequences of all processes when one of them is closed", "15.10")
                        .backend(AtomicInteger::new, ListenerFlaws::endingAll));
    }

    private static final class ReplacesListeners extends ForwardingSequenceStore {
        private final Map<String, Runnable> last = new ConcurrentHashMap<>();

        ReplacesListeners(SequenceStore store) {
            super(store);
        }

        @Override
        public Listening listen(String sequence, Runnable changed) {
            last.put(sequence, changed);
            return store.listen(sequence, () -> {
                if (last.get(sequence) == changed) {
                    changed.run();
                }
            });
        }
    }

    private static final class ClosesAllListeners extends ForwardingSequenceStore {
        private final Map<String, List<Listening>> open = new ConcurrentHashMap<>();

        ClosesAllListeners(SequenceStore store) {
            super(store);
        }

        @Override
        public Listening listen(String sequence, Runnable changed) {
            List<Listening> ofSequence = open.computeIfAbsent(sequence, none -> new CopyOnWriteArrayList<>());
            ofSequence.add(store.listen(sequence, changed));
            return new LiveListening(() -> ofSequence.forEach(Listening::close));
        }
    }

    private static final class ListensSeldom extends ForwardingSequenceStore {
        private final AtomicInteger listeners = new AtomicInteger();

        ListensSeldom(SequenceStore store) {
            super(store);
        }

        @Override
        public Listening listen(String sequence, Runnable changed) {
            return listeners.incrementAndGet() > LIMIT ? new LiveListening(() -> {}) : store.listen(sequence, changed);
        }
    }

    private static final class ReportsFewEntries extends ForwardingSequenceStore {
        ReportsFewEntries(SequenceStore store) {
            super(store);
        }

        @Override
        public Listening listen(String sequence, Runnable changed) {
            AtomicInteger reports = new AtomicInteger();
            return store.listen(sequence, () -> {
                if (reports.incrementAndGet() <= REPORTS) {
                    changed.run();
                }
            });
        }
    }

    private static final class EndsWithAFailure extends ForwardingSequenceStore {
        private final AtomicBoolean failed = new AtomicBoolean();

        EndsWithAFailure(SequenceStore store) {
            super(store);
        }

        @Override
        public Listening listen(String sequence, Runnable changed) {
            return store.listen(sequence, () -> {
                if (!failed.get()) {
                    changed.run();
                }
            });
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return watched(store.tail(sequence, call));
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return watched(store.read(sequence, range, call));
        }

        private <T> CompletableFuture<T> watched(CompletableFuture<T> read) {
            return read.whenComplete((answer, failure) -> {
                if (failure != null) {
                    failed.set(true);
                }
            });
        }
    }

    private static final class ListensToShortNames extends ForwardingSequenceStore {
        ListensToShortNames(SequenceStore store) {
            super(store);
        }

        @Override
        public Listening listen(String sequence, Runnable changed) {
            return sequence.getBytes(StandardCharsets.UTF_8).length > COLUMN
                    ? new LiveListening(() -> {})
                    : store.listen(sequence, changed);
        }
    }

    /** Reports while some appends are carried out, which the store below reports on the same thread. */
    private static final class ReportsSome extends ForwardingSequenceStore {
        private static final ThreadLocal<Boolean> QUIET = ThreadLocal.withInitial(() -> false);

        private final Predicate<AppendRequest> isReported;

        ReportsSome(SequenceStore store, Predicate<AppendRequest> isReported) {
            super(store);
            this.isReported = isReported;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            QUIET.set(requests.stream().noneMatch(isReported));
            try {
                return store.append(sequence, requests, commit);
            } finally {
                QUIET.remove();
            }
        }

        @Override
        public Listening listen(String sequence, Runnable changed) {
            return store.listen(sequence, () -> {
                if (!QUIET.get()) {
                    changed.run();
                }
            });
        }
    }

    private static CounterBackend endingAll(CounterBackend right, AtomicInteger closed) {
        SequenceStore sequences = new ForwardingSequenceStore(right.sequences()) {
            @Override
            public Listening listen(String sequence, Runnable changed) {
                int before = closed.get();
                return store.listen(sequence, () -> {
                    if (closed.get() == before) {
                        changed.run();
                    }
                });
            }
        };
        return new ForwardingCounterBackend(right, right.counters(), sequences) {
            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }
}
