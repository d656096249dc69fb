package io.counterkit.firestore.internal.read;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.CountersListener;
import io.counterkit.Reading;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.Futures;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.spi.Call;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Renews the roll-ups of the counters that this process changes, in rounds that are a roll-up cadence apart. A counter is
 * due from its change until a roll-up was written whose sum was begun after that change, by whatever rival was in the way.
 * When nothing changes there is no round, and between rounds no thread: only names are kept.
 *
 * <p>A roll-up is written only if the counter's document is still the one that was read before the sum was begun. So of
 * two refreshers one is dropped, a sum never replaces a later one, and a counter that was deleted, or deleted and made
 * again, gets no total of its former life. Where a process ends in between, the roll-up is late.
 */
public final class RollupWorker {
    /** As many as {@link CounterReads} has, for the same reasons. */
    private static final int MOST_DOCUMENTS = 300;

    private static final int MOST_SUMS = 50;
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final FirestoreSchema schema;
    private final CounterReads reads;
    private final @Nullable String prefix;
    private final long cadenceNanos;
    private final Set<String> due = new LinkedHashSet<>();
    private CompletableFuture<Void> round = CompletableFuture.completedFuture(null);
    private boolean isScheduled;
    private boolean isClosed;
    private long pauseNanos;

    public RollupWorker(FirestoreSchema schema, CounterReads reads) {
        this.schema = schema;
        this.reads = reads;
        this.prefix = schema.options().freshPrefix();
        this.cadenceNanos = Rollup.cadenceNanos(schema.options());
        this.pauseNanos = cadenceNanos;
    }

    /**
     * What became of the roll-ups of some counters.
     *
     * @param written how many were written
     * @param early those that were written less than a cadence ago
     * @param missed those that are to be tried again: somebody was in the way, or the store failed
     * @param failure one of the store's failures, if there was any
     */
    public record Refreshed(
            int written,
            List<String> early,
            List<String> missed,
            @Nullable Throwable failure) {}

    /** Takes note that these counters may have another total by now. */
    public void changed(Collection<String> names) {
        if (prefix == null) {
            return;
        }
        synchronized (this) {
            for (String name : names) {
                if (name.startsWith(prefix)) {
                    due.add(name);
                }
            }
            scheduleIfDue();
        }
    }

    private void scheduleIfDue() {
        if (!due.isEmpty() && !isScheduled && !isClosed) {
            isScheduled = true;
            CompletableFuture<?> unused = schema.requests().after(pauseNanos, () -> startRound(false));
        }
    }

    private synchronized CompletableFuture<Void> startRound(boolean isLast) {
        if (isClosed && !isLast) {
            return CompletableFuture.completedFuture(null);
        }
        List<String> names = List.copyOf(due);
        due.clear();
        round = refresh(names, isLast).thenAccept(refreshed -> end(refreshed, isLast));
        return round;
    }

    private synchronized void end(Refreshed refreshed, boolean isLast) {
        boolean isStuck = refreshed.failure() != null && refreshed.written() == 0;
        pauseNanos = isStuck
                ? Math.max(TimeUnit.MILLISECONDS.toNanos(100), Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS))
                : cadenceNanos;
        due.addAll(refreshed.early());
        due.addAll(refreshed.missed());
        if (!isLast) {
            isScheduled = false;
            scheduleIfDue();
        }
    }

    /** Renews at once what is due, whatever the cadence, and nothing after that. Never fails: a roll-up may be late. */
    public CompletableFuture<Void> close() {
        CompletableFuture<Void> running;
        synchronized (this) {
            isClosed = true;
            running = round;
        }
        return running.thenCompose(ended -> startRound(true));
    }

    /**
     * Sums these counters and writes their roll-ups. Never fails.
     *
     * @param isForced whether roll-ups younger than the cadence are renewed too
     */
    public CompletableFuture<Refreshed> refresh(List<String> names, boolean isForced) {
        List<List<String>> parts = new ArrayList<>();
        for (int from = 0; from < names.size(); from += MOST_DOCUMENTS) {
            parts.add(names.subList(from, Math.min(names.size(), from + MOST_DOCUMENTS)));
        }
        return Futures.inTurns(parts, 1, part -> refreshPart(part, isForced)).thenApply(RollupWorker::together);
    }

    private static Refreshed together(List<Refreshed> parts) {
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

    private CompletableFuture<Refreshed> refreshPart(List<String> names, boolean isForced) {
        Call call = new Call(schema.options().deadline(), CountersListener.disabled());
        DocumentReference[] references = names.stream().map(schema::counter).toArray(DocumentReference[]::new);
        return schema.requests()
                .of(call, () -> schema.firestore().getAll(references))
                .thenCompose(documents -> {
                    List<Target> targets = new ArrayList<>();
                    for (int i = 0; i < names.size(); i++) {
                        targets.add(new Target(names.get(i), documents.get(i)));
                    }
                    return Futures.inTurns(targets, MOST_SUMS, target -> refreshOne(target, isForced, call));
                })
                .thenApply(RollupWorker::together)
                .exceptionally(failure -> new Refreshed(0, List.of(), names, failure));
    }

    private record Target(String name, DocumentSnapshot counter) {
        Refreshed written() {
            return new Refreshed(1, List.of(), List.of(), null);
        }

        /** There is nothing to tell, or it cannot be told before it is mended, which is a change. */
        Refreshed dropped() {
            return new Refreshed(0, List.of(), List.of(), null);
        }

        Refreshed early() {
            return new Refreshed(0, List.of(name), List.of(), null);
        }

        Refreshed missed(@Nullable Throwable failure) {
            return new Refreshed(0, List.of(), List.of(name), failure);
        }
    }

    private CompletableFuture<Refreshed> refreshOne(Target target, boolean isForced, Call call) {
        if (!target.counter().exists()) {
            return CompletableFuture.completedFuture(target.dropped());
        }
        if (!isForced && !reads.isDue(target.counter())) {
            return CompletableFuture.completedFuture(target.early());
        }
        return reads.sum(target.name(), call).thenCompose(result -> {
            Reading sum = result.value();
            if (sum == null) {
                return CompletableFuture.completedFuture(notSummed(target, result.failure()));
            }
            return schema.requests()
                    .of(call, () -> Rollup.write(target.counter(), sum, schema.options()))
                    .thenApply(written -> target.written())
                    .exceptionally(failure -> notWritten(target, failure));
        });
    }

    private static Refreshed notWritten(Target target, Throwable failure) {
        if (FirestoreErrors.of(failure) == StoreError.MISSING) {
            return target.dropped();
        }
        return target.missed(FirestoreErrors.isOutrun(failure) ? null : failure);
    }

    /** An overflow, or a shard that is no number, stays until a change mends it; other failures pass. */
    private static Refreshed notSummed(Target target, @Nullable CounterException failure) {
        boolean isLasting = failure instanceof CounterOverflowException || failure instanceof CorruptDataException;
        return isLasting ? target.dropped() : target.missed(failure);
    }
}
