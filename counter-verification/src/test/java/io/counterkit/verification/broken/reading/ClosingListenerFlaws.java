package io.counterkit.verification.broken.reading;

import io.counterkit.spi.Listening;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.LiveListening;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/** Chapters 3 and 15, continued: listeners that are closed while they are called. */
public final class ClosingListenerFlaws {
    /** Longer than a rule waits for a report. */
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(25);

    private ClosingListenerFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                ofCounters("omits the next listener of a counter if one closes itself", Dispatching::new),
                ofSequences("omits the next listener of a sequence if one closes itself", Dispatching::new),
                ofCounters("waits for its report to a counter's listener that closes itself", () -> Waiting::listen),
                ofSequences("waits for its report to a sequence's listener that closes itself", () -> Waiting::listen));
    }

    /** How a process listens to a name, by a function that listens to it in the store. */
    private interface Way {
        Listening listen(Function<Runnable, Listening> store, String name, Runnable changed);
    }

    private static Flaw ofCounters(String does, Supplier<Way> ways) {
        return CounterListenerFlaws.flaw(does, (right, all) -> {
            Way way = ways.get();
            return CounterListenerFlaws.listening((listeners, name, changed) ->
                            way.listen(report -> listeners.listen(name, report), name, changed))
                    .of(right, all);
        });
    }

    private static Flaw ofSequences(String does, Supplier<Way> ways) {
        return Flaw.that(does, "15.10").sequences(store -> new Sequences(store, ways.get()));
    }

    private static final class Sequences extends ForwardingSequenceStore {
        private final Way way;

        Sequences(SequenceStore store, Way way) {
            super(store);
            this.way = way;
        }

        @Override
        public Listening listen(String sequence, Runnable changed) {
            return way.listen(report -> store.listen(sequence, report), sequence, changed);
        }
    }

    /** Calls the listeners of a name in a list from which they remove themselves meanwhile. */
    private static final class Dispatching implements Way {
        private final Map<String, List<Runnable>> ofNames = new ConcurrentHashMap<>();

        @Override
        public Listening listen(Function<Runnable, Listening> store, String name, Runnable changed) {
            List<Runnable> ofName = ofNames.computeIfAbsent(name, first -> {
                List<Runnable> listeners = Collections.synchronizedList(new ArrayList<>());
                // Listens until the store is closed.
                Listening unused = store.apply(() -> {
                    for (int i = 0; i < listeners.size(); i++) {
                        listeners.get(i).run();
                    }
                });
                return listeners;
            });
            ofName.add(changed);
            return new LiveListening(() -> ofName.remove(changed));
        }
    }

    /** Waits for a running report when a listener is closed, even in that report. */
    private static final class Waiting {
        private Waiting() {}

        static Listening listen(Function<Runnable, Listening> store, String name, Runnable changed) {
            AtomicInteger running = new AtomicInteger();
            Listening listening = store.apply(() -> {
                running.incrementAndGet();
                changed.run();
                running.decrementAndGet();
            });
            return new LiveListening(() -> {
                long start = System.nanoTime();
                while (running.get() > 0 && System.nanoTime() - start < LONGEST) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
                listening.close();
            });
        }
    }
}
