package io.counterkit.firestore.internal.read;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.WriteResult;
import com.google.common.util.concurrent.MoreExecutors;
import io.counterkit.Reading;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.RetryingClient;
import io.counterkit.firestore.internal.client.StoreClock;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads counters from the cheapest source that is fresh enough: the latest reading of this process, the roll-up in the
 * counter's document, or the sum of the shards. A read that had to sum writes the sum as a roll-up for other readers.
 *
 * <p>Clocks are not compared. The age of a roll-up is measured by the store's clock until the store has read it, and by
 * the process's own clock from the time of the request. Readings returned by one process never go back in time.
 */
public final class CounterReads {
    /** The most sums in flight. A channel carries a hundred calls, and adds need some of them. */
    static final int MOST_SUMS = 50;

    private final FirestoreSchema schema;
    private final ShardSums sums;
    private final LatestReadings latest = new LatestReadings();

    /** The counters whose roll-ups this process writes for readers. */
    private final Set<String> rollingUp = ConcurrentHashMap.newKeySet();

    public CounterReads(FirestoreSchema schema) {
        this.schema = schema;
        this.sums = new ShardSums(schema);
    }

    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        if (maxStaleness.isZero()) {
            return Futures.inGroups(names, MOST_SUMS, name -> sum(name, call));
        }
        Map<String, Result<Reading>> readings = new ConcurrentHashMap<>();
        List<String> unknown = new ArrayList<>();
        for (String name : names) {
            Reading known = latest.within(name, maxStaleness);
            if (known == null) {
                unknown.add(name);
            } else {
                readings.put(name, Result.of(known));
            }
        }
        return Futures.all(DocumentReads.groups(unknown).stream()
                        .map(group -> readRollups(group, maxStaleness, readings, call))
                        .toList())
                .thenCompose(stale -> Futures.inGroups(
                        stale.stream().flatMap(List::stream).toList(),
                        MOST_SUMS,
                        each -> sumAndRollUp(each, call, false)
                                .thenAccept(reading -> readings.put(each.name(), reading))))
                .thenApply(summed -> names.stream()
                        .map(name -> Objects.requireNonNull(readings.get(name)))
                        .toList());
    }

    /** Returns the latest reading of this process; null if it is older than {@code maxStaleness}. */
    @Nullable Reading known(String name, Duration maxStaleness) {
        return latest.within(name, maxStaleness);
    }

    /**
     * Reads a watched counter whose latest reading is too old.
     *
     * @param counter the newest document that the listener reported, whose roll-up is too old; null if there is no
     *     listener
     */
    CompletableFuture<Result<Reading>> readWatched(
            String name, Duration maxStaleness, @Nullable DocumentSnapshot counter, Call call) {
        return counter == null
                ? read(List.of(name), maxStaleness, call).thenApply(results -> results.get(0))
                : sumAndRollUp(new Stale(name, counter), call, true);
    }

    /** Returns the newest reading after a listener reported a document; null if there is none to return. */
    @Nullable Reading fromListener(String name, DocumentSnapshot counter) {
        Rollup rollup = Rollup.of(counter, schema);
        Long seen = rollup == null ? null : schema.clock().nanosOf(StoreClock.toInstant(rollup.at()));
        return rollup == null || seen == null ? null : newest(name, rollup, seen);
    }

    /**
     * Returns whether the counter was reset or deleted between two documents, so that earlier readings are not valid
     * any more.
     */
    boolean isCleared(DocumentSnapshot before, DocumentSnapshot after) {
        return (before.exists() && !after.exists())
                || (Rollup.of(before, schema) != null && Rollup.of(after, schema) == null);
    }

    /** A counter whose roll-up is too old, and its document. */
    private record Stale(String name, DocumentSnapshot counter) {}

    /** Reads roll-ups, puts those that are fresh enough in {@code readings}, and returns the others. */
    private CompletableFuture<List<Stale>> readRollups(
            List<String> names, Duration maxStaleness, Map<String, Result<Reading>> readings, Call call) {
        long asked = System.nanoTime();
        return documents(names, call).thenApply(documents -> {
            List<Stale> stale = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                Reading reading = fromRollup(names.get(i), documents.get(i), asked);
                if (reading != null && reading.staleness().compareTo(maxStaleness) <= 0) {
                    readings.put(names.get(i), Result.of(reading));
                } else {
                    stale.add(new Stale(names.get(i), documents.get(i)));
                }
            }
            return stale;
        });
    }

    CompletableFuture<List<DocumentSnapshot>> documents(List<String> names, Call call) {
        DocumentReference[] references = names.stream().map(schema::counter).toArray(DocumentReference[]::new);
        return schema.client().read(call, () -> schema.firestore().getAll(references));
    }

    /** Returns the newer of the roll-up and the latest reading; null if there is none to return. */
    @Nullable Reading fromRollup(String name, DocumentSnapshot counter, long asked) {
        Rollup rollup = Rollup.of(counter, schema);
        return rollup == null ? null : newest(name, rollup, asked - rollup.ageIn(counter));
    }

    private @Nullable Reading newest(String name, Rollup rollup, long seen) {
        Reading newest = latest.remember(
                name, new Reading(rollup.total(), StoreClock.toInstant(rollup.at()), Duration.ZERO), seen);
        return latest.mayBeShown(newest) ? newest : null;
    }

    /**
     * Sums a counter, and writes the sum as its roll-up if that is due.
     *
     * @param ifChanged whether to write only a changed total: an equal one would cost each watch a read
     */
    private CompletableFuture<Result<Reading>> sumAndRollUp(Stale stale, Call call, boolean ifChanged) {
        return sum(stale.name(), call).thenApply(result -> {
            Reading sum = result.value();
            Rollup rollup = Rollup.of(stale.counter(), schema);
            if (sum != null
                    && stale.counter().exists()
                    && !stale.counter().contains(CounterSeal.FIELD) // written with the last roll-up
                    && (rollup == null || (isDue(rollup, sum) && !(ifChanged && rollup.total() == sum.value())))) {
                rollUp(stale, sum);
            }
            return result;
        });
    }

    /**
     * Writes a sum as a roll-up, unless an earlier write of this process has no answer yet. A write may wait for the
     * locks of a reset or a deletion. Then more writes would only wait behind it, and make the other changes wait
     * longer. The outcome is ignored: a roll-up may be late.
     */
    private void rollUp(Stale stale, Reading sum) {
        if (!rollingUp.add(stale.name())) {
            return;
        }
        ApiFuture<WriteResult> write;
        try {
            write = RetryingClient.withoutInterrupt(() -> Rollup.write(stale.counter(), sum, schema));
        } catch (RuntimeException e) {
            rollingUp.remove(stale.name());
            throw e;
        }
        write.addListener(() -> rollingUp.remove(stale.name()), MoreExecutors.directExecutor());
    }

    CompletableFuture<Result<Reading>> sum(String name, Call call) {
        long asked = System.nanoTime();
        return sums.read(name, call).thenApply(result -> {
            if (result.value() != null) {
                latest.remember(name, result.value(), asked);
            }
            return result;
        });
    }

    /** Returns whether a roll-up may be written: the counter has none, or one that is as old as the cadence. */
    boolean isDue(DocumentSnapshot counter) {
        Rollup rollup = Rollup.of(counter, schema);
        return rollup == null || rollup.ageIn(counter) >= Rollup.cadence(schema).toNanos();
    }

    /**
     * Returns whether a roll-up was due when {@code sum} was read. The document itself may have been read long before.
     */
    private boolean isDue(Rollup rollup, Reading sum) {
        return Duration.between(StoreClock.toInstant(rollup.at()), sum.asOf()).compareTo(Rollup.cadence(schema)) >= 0;
    }
}
