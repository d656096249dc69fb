package io.counterkit.firestore.internal.read;

import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.read.RollupRenewal.Renewed;
import io.counterkit.spi.Backoff;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Renews the roll-ups of the counters that this process changes, in rounds with a pause of one roll-up cadence. A
 * counter is due from its change until a roll-up is written whose sum started after the change. Without changes there
 * are no rounds, and no thread is used between rounds. If the process ends before a write, the roll-up is late.
 * Thread-safe.
 */
public final class RollupWorker {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Half the writes a second that Google recommends at most for a collection that has listeners. */
    private static final int MOST_A_SECOND = 500;

    private final FirestoreSchema schema;
    private final RollupRenewal renewal;
    private final @Nullable String prefix;
    private final long cadenceNanos;
    private final long mostInRound;
    private final Backoff backoff;
    private final Set<String> due = new LinkedHashSet<>();
    private final List<Consumer<List<String>>> observers = new CopyOnWriteArrayList<>();
    private CompletableFuture<Void> round = CompletableFuture.completedFuture(null);
    private boolean isScheduled;
    private boolean isClosed;
    private int failed;

    /** The pauses in the last round, or in the one that is running. */
    private long pausedNanos;

    public RollupWorker(FirestoreSchema schema, CounterReads reads) {
        this.schema = schema;
        this.renewal = new RollupRenewal(schema, reads);
        this.prefix = schema.options().freshPrefix();
        this.cadenceNanos = Rollup.cadence(schema).toNanos();
        this.mostInRound = MOST_A_SECOND * Math.max(1, TimeUnit.NANOSECONDS.toSeconds(cadenceNanos));
        long first = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * cadenceNanos));
        this.backoff = new Backoff(first, LONGEST_PAUSE_NANOS);
    }

    /** Calls {@code observer} with the names of counters whose totals may have changed. */
    public void observe(Consumer<List<String>> observer) {
        observers.add(observer);
    }

    public void unobserve(Consumer<List<String>> observer) {
        observers.remove(observer);
    }

    /** Returns whether changes need not be marked, since no roll-up is kept fresh and there is no observer. */
    public boolean isIdle() {
        return prefix == null && observers.isEmpty();
    }

    /** Marks the roll-ups of counters as due, since their totals may have changed. */
    public void markDue(Collection<String> names) {
        List<String> changed = List.copyOf(names);
        observers.forEach(observer -> observer.accept(changed));
        if (prefix == null) {
            return;
        }
        synchronized (this) {
            names.stream().filter(name -> name.startsWith(prefix)).forEach(due::add);
            scheduleIfDue();
        }
    }

    private void scheduleIfDue() {
        if (!due.isEmpty() && !isScheduled && !isClosed) {
            isScheduled = true;
            long pause = failed == 0 ? cadenceNanos - pausedNanos : backoff.nanos(failed);
            CompletableFuture<?> unused = schema.timers().after(pause).thenCompose(due -> startRound(false));
        }
    }

    private synchronized CompletableFuture<Void> startRound(boolean isLast) {
        if (isClosed && !isLast) {
            return CompletableFuture.completedFuture(null);
        }
        List<String> names =
                due.stream().limit(isLast ? due.size() : mostInRound).toList();
        names.forEach(due::remove);
        pausedNanos = Math.max(0, names.size() - 1) / MOST_A_SECOND * SECOND_NANOS;
        round = (isLast ? renewal.run(names, true) : renewPaced(names))
                .thenAccept(renewed -> endRound(renewed, isLast));
        return round;
    }

    /**
     * Renews as many as are allowed in a second, and the rest after a pause, so that a long cadence causes no burst of
     * writes.
     */
    private CompletableFuture<Renewed> renewPaced(List<String> names) {
        if (names.size() <= MOST_A_SECOND) {
            return renewal.run(names, false);
        }
        List<String> rest = names.subList(MOST_A_SECOND, names.size());
        return renewal.run(names.subList(0, MOST_A_SECOND), false)
                .thenCompose(first -> schema.timers()
                        .after(SECOND_NANOS)
                        .thenCompose(due -> renewAfterPause(rest))
                        .thenApply(more -> Renewed.sum(List.of(first, more))));
    }

    private synchronized CompletableFuture<Renewed> renewAfterPause(List<String> names) {
        return isClosed ? CompletableFuture.completedFuture(Renewed.missed(names, null)) : renewPaced(names);
    }

    private synchronized void endRound(Renewed renewed, boolean isLast) {
        failed = renewed.failure() != null && renewed.written() == 0 ? failed + 1 : 0;
        due.addAll(renewed.early());
        due.addAll(renewed.missed());
        if (!isLast) {
            isScheduled = false;
            scheduleIfDue();
        }
    }

    /**
     * Renews the due roll-ups immediately, regardless of the cadence, and no others afterwards. The future never fails.
     */
    public CompletableFuture<Void> close() {
        CompletableFuture<Void> running;
        synchronized (this) {
            isClosed = true;
            running = round;
        }
        return running.thenCompose(ended -> startRound(true));
    }
}
