package io.counterkit.firestore.internal.read;

import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.CountersListener;
import io.counterkit.Reading;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Renews the roll-ups of the counters that this process changes, in rounds with a pause of one roll-up cadence. A
 * counter is due from its change until a roll-up is written whose sum started after the change. Without changes there
 * are no rounds, and no thread is used between rounds. Thread-safe.
 *
 * <p>A roll-up is written only if the counter's document has not changed since before the sum started. So one of two
 * concurrent roll-ups is dropped, a sum never replaces a later one, and a counter that was deleted, or deleted and created
 * again, gets no earlier total. If the process ends before a write, the roll-up is late.
 */
public final class RollupWorker {
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Half the writes a second that Google recommends at most for a collection that has listeners. */
    private static final int MOST_A_SECOND = 500;

    private final FirestoreSchema schema;
    private final CounterReads reads;
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
        this.reads = reads;
        this.prefix = schema.options().freshPrefix();
        this.cadenceNanos = Rollup.cadence(schema).toNanos();
        this.mostInRound = MOST_A_SECOND * Math.max(1, TimeUnit.NANOSECONDS.toSeconds(cadenceNanos));
        long first = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * cadenceNanos));
        this.backoff = new Backoff(first, LONGEST_PAUSE_NANOS);
    }

    /**
     * The result of renewing the roll-ups of some counters. The lists do not contain counters without a document or a
     * readable total: only a change helps these, and makes them due again.
     *
     * @param written the number of roll-ups written
     * @param early the counters whose roll-up is younger than a cadence
     * @param missed the counters to try again, after a concurrent change or a failure of the store
     * @param failure one of the store's failures; null if there was none
     */
    public record Refreshed(
            int written,
            List<String> early,
            List<String> missed,
            @Nullable Throwable failure) {
        private static final Refreshed WRITTEN = new Refreshed(1, List.of(), List.of(), null);
        private static final Refreshed DROPPED = new Refreshed(0, List.of(), List.of(), null);

        private static Refreshed early(String name) {
            return new Refreshed(0, List.of(name), List.of(), null);
        }

        private static Refreshed missed(List<String> names, @Nullable Throwable failure) {
            return new Refreshed(0, List.of(), names, failure);
        }

        private static Refreshed sum(List<Refreshed> parts) {
            List<String> early = new ArrayList<>();
            List<String> missed = new ArrayList<>();
            int written = 0;
            Throwable failure = null;
            for (Refreshed part : parts) {
                early.addAll(part.early());
                missed.addAll(part.missed());
                written += part.written();
                failure = part.failure() == null ? failure : part.failure();
            }
            return new Refreshed(written, early, missed, failure);
        }
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
            CompletableFuture<?> unused = schema.client().after(pause).thenCompose(due -> startRound(false));
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
        round = (isLast ? refresh(names, true) : refreshPaced(names))
                .thenAccept(refreshed -> endRound(refreshed, isLast));
        return round;
    }

    /**
     * Renews as many as are allowed in a second, and the rest after a pause, so that a long cadence causes no burst of
     * writes.
     */
    private CompletableFuture<Refreshed> refreshPaced(List<String> names) {
        if (names.size() <= MOST_A_SECOND) {
            return refresh(names, false);
        }
        List<String> rest = names.subList(MOST_A_SECOND, names.size());
        return refresh(names.subList(0, MOST_A_SECOND), false)
                .thenCompose(first -> schema.client()
                        .after(SECOND_NANOS)
                        .thenCompose(due -> refreshAfterPause(rest))
                        .thenApply(more -> Refreshed.sum(List.of(first, more))));
    }

    private synchronized CompletableFuture<Refreshed> refreshAfterPause(List<String> names) {
        return isClosed ? CompletableFuture.completedFuture(Refreshed.missed(names, null)) : refreshPaced(names);
    }

    private synchronized void endRound(Refreshed refreshed, boolean isLast) {
        failed = refreshed.failure() != null && refreshed.written() == 0 ? failed + 1 : 0;
        due.addAll(refreshed.early());
        due.addAll(refreshed.missed());
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

    /**
     * Sums counters and writes their roll-ups. The future never fails.
     *
     * @param isForced whether to renew roll-ups younger than the cadence
     */
    public CompletableFuture<Refreshed> refresh(List<String> names, boolean isForced) {
        return Futures.inGroups(DocumentReads.groups(names), 1, group -> refreshGroup(group, isForced))
                .thenApply(Refreshed::sum);
    }

    private CompletableFuture<Refreshed> refreshGroup(List<String> names, boolean isForced) {
        Call call = new Call(schema.options().deadline(), CountersListener.disabled());
        return reads.documents(names, call)
                .thenCompose(documents -> Futures.inGroups(
                        IntStream.range(0, names.size()).boxed().toList(),
                        CounterReads.MOST_SUMS,
                        i -> refreshOne(names.get(i), documents.get(i), isForced, call)))
                .thenApply(Refreshed::sum)
                .exceptionally(failure -> Refreshed.missed(names, failure));
    }

    private CompletableFuture<Refreshed> refreshOne(
            String name, DocumentSnapshot counter, boolean isForced, Call call) {
        if (!counter.exists() || counter.contains(CounterSeal.FIELD)) { // the seal wrote the last roll-up
            return CompletableFuture.completedFuture(Refreshed.DROPPED);
        }
        if (!isForced && !reads.isDue(counter)) {
            return CompletableFuture.completedFuture(Refreshed.early(name));
        }
        return reads.sum(name, call).thenCompose(result -> {
            Reading sum = result.value();
            if (sum == null) {
                return CompletableFuture.completedFuture(notSummed(name, result.failure()));
            }
            return schema.client()
                    .once(call, () -> Rollup.write(counter, sum, schema))
                    .thenApply(written -> Refreshed.WRITTEN)
                    .exceptionally(failure -> notWritten(name, failure));
        });
    }

    private static Refreshed notWritten(String name, Throwable failure) {
        return FirestoreErrors.of(failure) == StoreError.MISSING
                ? Refreshed.DROPPED
                : Refreshed.missed(List.of(name), FirestoreErrors.isStale(failure) ? null : failure);
    }

    private static Refreshed notSummed(String name, @Nullable CounterException failure) {
        boolean isLasting = failure instanceof CounterOverflowException || failure instanceof CorruptDataException;
        return isLasting ? Refreshed.DROPPED : Refreshed.missed(List.of(name), failure);
    }
}
