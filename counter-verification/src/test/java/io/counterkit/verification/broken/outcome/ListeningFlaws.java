package io.counterkit.verification.broken.outcome;

import io.counterkit.NotAppliedException;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Listening;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Listeners;
import io.counterkit.verification.broken.flaw.LiveListening;
import io.counterkit.verification.broken.flaw.WithMigration;
import io.counterkit.verification.broken.reading.CounterListenerFlaws;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Chapter 7, continued: what listeners and the close of a process do to calls and callers. */
final class ListeningFlaws {
    /** How many connections a process has. */
    private static final int CONNECTIONS = 10;

    /** How many connections a store accepts. */
    private static final int MOST_CONNECTIONS = 100;

    private ListeningFlaws() {}

    static List<Flaw> all() {
        return List.of(
                Flaw.that("keeps a connection for each open listener", "7.22").backend(ListeningFlaws::connecting),
                Flaw.that("keeps the connection of its listeners when it is closed", "12.6")
                        .backend(AtomicInteger::new, ListeningFlaws::keepingAConnection),
                Flaw.that("reports changes to listeners of sequences that were closed", "15.10")
                        .sequences(store -> new ForwardingSequenceStore(store) {
                            @Override
                            public Listening listen(String sequence, Runnable changed) {
                                return new LiveListening(store.listen(sequence, changed)::isLive);
                            }
                        }),
                Flaw.that("connects its listeners again without a report", "3.22", "15.10")
                        .backend(
                                Listeners::new,
                                (right, all) -> connectingSilently(CounterListenerFlaws.reporting(right, all))),
                Flaw.that("clears a pending interrupt when it listens", "7.23")
                        .sequences(store -> new ForwardingSequenceStore(store) {
                            @Override
                            public @Nullable Listening listen(String sequence, Runnable changed) {
                                boolean unused = Thread.interrupted();
                                return store.listen(sequence, changed);
                            }
                        }),
                Flaw.that("clears a pending interrupt when it is closed", "7.23")
                        .backend(right -> closing(right, () -> {
                            boolean unused = Thread.interrupted();
                        })),
                Flaw.that("fails to close if an interrupt is pending", "7.23")
                        .backend(right -> closing(right, () -> {
                            if (Thread.currentThread().isInterrupted()) {
                                throw new IllegalStateException("interrupted");
                            }
                        })));
    }

    private static CounterBackend connecting(CounterBackend right) {
        AtomicInteger listening = new AtomicInteger();
        CounterBackend calls = Intercepted.of(
                right,
                call -> listening.get() < CONNECTIONS
                        ? call.pass()
                        : CompletableFuture.failedFuture(new NotAppliedException("no connection is free")));
        SequenceStore sequences = new ForwardingSequenceStore(calls.sequences()) {
            @Override
            public Listening listen(String sequence, Runnable changed) {
                Listening open = store.listen(sequence, changed);
                listening.incrementAndGet();
                return new LiveListening(() -> {
                    open.close();
                    listening.decrementAndGet();
                });
            }
        };
        return new WithMigration(calls, calls.counters(), sequences, calls.migration());
    }

    /** Takes a connection for the first listener of a process, and never returns it. */
    private static CounterBackend keepingAConnection(CounterBackend right, AtomicInteger taken) {
        AtomicBoolean isListening = new AtomicBoolean();
        CounterBackend calls = Intercepted.of(
                right,
                call -> taken.get() <= MOST_CONNECTIONS
                        ? call.pass()
                        : CompletableFuture.failedFuture(new NotAppliedException("no connection is free")));
        SequenceStore sequences = new ForwardingSequenceStore(calls.sequences()) {
            @Override
            public @Nullable Listening listen(String sequence, Runnable changed) {
                if (isListening.compareAndSet(false, true)) {
                    taken.incrementAndGet();
                }
                return store.listen(sequence, changed);
            }
        };
        return new WithMigration(calls, calls.counters(), sequences, calls.migration());
    }

    /** Loses its connection with each failure, with the reports until the next call, and calls no listener for that. */
    private static CounterBackend connectingSilently(CounterBackend right) {
        AtomicBoolean isConnected = new AtomicBoolean(true);
        CounterBackend calls = Intercepted.of(
                right, call -> call.pass().whenComplete((answer, failure) -> isConnected.set(failure == null)));
        CounterStore counters = new ForwardingCounterStore(calls.counters()) {
            @Override
            public @Nullable Listening listen(String counter, Runnable changed) {
                return whileConnected(isConnected, store.listen(counter, unlessLost(isConnected, changed)));
            }
        };
        SequenceStore sequences = new ForwardingSequenceStore(calls.sequences()) {
            @Override
            public @Nullable Listening listen(String sequence, Runnable changed) {
                return whileConnected(isConnected, store.listen(sequence, unlessLost(isConnected, changed)));
            }
        };
        return new WithMigration(calls, counters, sequences, calls.migration());
    }

    private static Runnable unlessLost(AtomicBoolean isConnected, Runnable changed) {
        return () -> {
            if (isConnected.get()) {
                changed.run();
            }
        };
    }

    private static @Nullable Listening whileConnected(AtomicBoolean isConnected, @Nullable Listening listening) {
        return listening == null
                ? null
                : new Listening() {
                    @Override
                    public boolean isLive() {
                        return isConnected.get() && listening.isLive();
                    }

                    @Override
                    public void close() {
                        listening.close();
                    }
                };
    }

    private static CounterBackend closing(CounterBackend right, Runnable before) {
        return new ForwardingCounterBackend(right) {
            @Override
            public void close() {
                before.run();
                super.close();
            }
        };
    }
}
