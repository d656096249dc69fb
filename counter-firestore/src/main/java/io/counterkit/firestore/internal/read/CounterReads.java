package io.counterkit.firestore.internal.read;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Reading;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.Futures;
import io.counterkit.firestore.internal.client.StoreClock;
import io.counterkit.spi.Call;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Readings that may be a little old, from where they are cheapest: what this process has seen, the roll-up in the
 * counter's document, or else the sum of the shards. Whoever had to sum leaves the sum as a roll-up for the others.
 *
 * <p>No two clocks are compared. The age of a roll-up is by the store's clock until the store has read it, and by this
 * process's from the moment it asked. What a process has once shown it does not go back behind.
 */
public final class CounterReads {
    /** How many documents one call gets. */
    private static final int MOST_DOCUMENTS = 300;

    /** How many sums are asked for at once: a channel carries a hundred calls, and adds are to get through too. */
    private static final int MOST_SUMS = 50;

    private final FirestoreSchema schema;
    private final ShardSums totals;
    private final LatestReadings latest = new LatestReadings();

    public CounterReads(FirestoreSchema schema) {
        this.schema = schema;
        this.totals = new ShardSums(schema);
    }

    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        if (maxStaleness.isZero()) {
            return Futures.inTurns(names, MOST_SUMS, name -> sum(name, call));
        }
        Map<String, Result<Reading>> readings = new ConcurrentHashMap<>();
        List<CompletableFuture<List<Stale>>> asked = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (String name : names) {
            Reading known = latest.within(name, maxStaleness);
            if (known == null) {
                unknown.add(name);
            } else {
                readings.put(name, Result.of(known));
            }
        }
        for (int from = 0; from < unknown.size(); from += MOST_DOCUMENTS) {
            List<String> some = unknown.subList(from, Math.min(unknown.size(), from + MOST_DOCUMENTS));
            asked.add(rollups(some, maxStaleness, readings, call));
        }
        return Futures.all(asked)
                .thenCompose(stale -> Futures.inTurns(
                        stale.stream().flatMap(List::stream).toList(),
                        MOST_SUMS,
                        each -> sumAndLeave(each, call, Leave.IF_DUE)
                                .thenAccept(reading -> readings.put(each.name(), reading))))
                .thenApply(summed -> names.stream()
                        .map(name -> Objects.requireNonNull(readings.get(name)))
                        .toList());
    }

    /** What this process has seen, if it is not older than that. */
    @Nullable Reading known(String name, Duration maxStaleness) {
        return latest.within(name, maxStaleness);
    }

    /**
     * A look at a watched counter whose newest reading is too old: sums it, unless there is a roll-up that may do.
     *
     * @param counter the newest document that was heard of, whose roll-up is too old; null if nobody listens
     */
    CompletableFuture<Result<Reading>> look(
            String name, Duration maxStaleness, @Nullable DocumentSnapshot counter, Call call) {
        return counter == null
                ? read(List.of(name), maxStaleness, call).thenApply(results -> results.get(0))
                : sumAndLeave(new Stale(name, counter), call, Leave.IF_DUE_AND_CHANGED);
    }

    /** The newest reading after a listener has heard of this document; null if its roll-up may not be shown. */
    @Nullable Reading heard(String name, DocumentSnapshot counter) {
        Rollup rollup = Rollup.of(counter, schema.options());
        Long seen = rollup == null ? null : schema.clock().nanosOf(StoreClock.toInstant(rollup.at()));
        return rollup == null || seen == null ? null : newest(name, rollup, seen);
    }

    /** Whether the counter was reset or deleted between the two, so that the older roll-up says nothing any more. */
    boolean isCleared(DocumentSnapshot before, DocumentSnapshot after) {
        return (before.exists() && !after.exists())
                || (Rollup.of(before, schema.options()) != null && Rollup.of(after, schema.options()) == null);
    }

    /** When a sum is left as a roll-up. One that has not changed would tell watchers nothing, and cost each a read. */
    private enum Leave {
        IF_DUE,
        IF_DUE_AND_CHANGED
    }

    /** A counter whose roll-up is too old, and its document. */
    private record Stale(String name, DocumentSnapshot counter) {}

    /** Puts in those whose roll-ups are fresh enough; returns the others. */
    private CompletableFuture<List<Stale>> rollups(
            List<String> names, Duration maxStaleness, Map<String, Result<Reading>> readings, Call call) {
        long asked = System.nanoTime();
        DocumentReference[] references = names.stream().map(schema::counter).toArray(DocumentReference[]::new);
        return schema.requests()
                .of(call, () -> schema.firestore().getAll(references))
                .thenApply(documents -> {
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

    /** The newer one of the roll-up and what this process has seen; null if there is no roll-up that may be shown. */
    @Nullable Reading fromRollup(String name, DocumentSnapshot counter, long asked) {
        Rollup rollup = Rollup.of(counter, schema.options());
        if (rollup == null) {
            return null;
        }
        return newest(name, rollup, asked - rollup.ageIn(counter)); // when its age was nothing, by our clock
    }

    private @Nullable Reading newest(String name, Rollup rollup, long seen) {
        Reading newest = latest.remember(
                name, new Reading(rollup.total(), StoreClock.toInstant(rollup.at()), Duration.ZERO), seen);
        return latest.mayBeShown(newest) ? newest : null;
    }

    private CompletableFuture<Result<Reading>> sumAndLeave(Stale stale, Call call, Leave when) {
        return sum(stale.name(), call).thenApply(result -> {
            Reading sum = result.value();
            Rollup rollup = Rollup.of(stale.counter(), schema.options());
            boolean isNews = when == Leave.IF_DUE || rollup == null || sum == null || rollup.total() != sum.value();
            if (sum != null && stale.counter().exists() && isNews && isDue(rollup, sum)) {
                // A failure needs no care, and nobody waits for it.
                Object unused = Rollup.write(stale.counter(), sum, schema.options());
            }
            return result;
        });
    }

    /** The sum of the shards now. */
    CompletableFuture<Result<Reading>> sum(String name, Call call) {
        long asked = System.nanoTime();
        return totals.read(name, call).thenApply(result -> {
            if (result.value() != null) {
                latest.remember(name, result.value(), asked);
            }
            return result;
        });
    }

    /** Whether its roll-up may be written: it is as old as the cadence, or there is none. */
    boolean isDue(DocumentSnapshot counter) {
        Rollup rollup = Rollup.of(counter, schema.options());
        return rollup == null || rollup.ageIn(counter) >= Rollup.cadenceNanos(schema.options());
    }

    /** The same when the sum has been read, which tells the time without the document, that may be an old one. */
    private boolean isDue(@Nullable Rollup rollup, Reading sum) {
        return rollup == null
                || Duration.between(StoreClock.toInstant(rollup.at()), sum.asOf())
                                .compareTo(schema.options().rollupCadence())
                        >= 0;
    }
}
