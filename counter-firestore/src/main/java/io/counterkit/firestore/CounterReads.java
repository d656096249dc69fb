package io.counterkit.firestore;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Readings that may be a little old, from where they are cheapest: what this process has seen, the roll-up in the
 * counter's document, or else the sum of the shards. Whoever had to sum leaves the sum as a roll-up for the others.
 *
 * <p>No two clocks are compared. The age of a roll-up is by the store's clock until the store has read it, and by this
 * process's from the moment it asked. What a process has once shown it does not go back behind.
 */
final class CounterReads {
    /** How many documents one call gets. */
    private static final int MOST_IN_A_CALL = 300;

    private final FirestoreSchema schema;
    private final Totals totals;
    private final LatestReadings latest = new LatestReadings();

    CounterReads(FirestoreSchema schema) {
        this.schema = schema;
        this.totals = new Totals(schema);
    }

    CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        if (maxStaleness.isZero()) {
            return Futures.all(names.stream().map(name -> sum(name, call)).toList());
        }
        Map<String, CompletableFuture<Result<Reading>>> readings = new HashMap<>();
        List<String> others = new ArrayList<>();
        for (String name : names) {
            Reading known = latest.within(name, maxStaleness);
            if (known == null) {
                others.add(name);
            } else {
                readings.put(name, CompletableFuture.completedFuture(Result.of(known)));
            }
        }
        for (int from = 0; from < others.size(); from += MOST_IN_A_CALL) {
            readings.putAll(
                    rollups(others.subList(from, Math.min(others.size(), from + MOST_IN_A_CALL)), maxStaleness, call));
        }
        return Futures.all(names.stream().map(readings::get).toList());
    }

    private CompletableFuture<Result<Reading>> sum(String name, Call call) {
        long asked = System.nanoTime();
        return totals.read(name, call).thenApply(result -> {
            if (result.value() != null) {
                latest.remember(name, result.value(), asked);
            }
            return result;
        });
    }

    private Map<String, CompletableFuture<Result<Reading>>> rollups(
            List<String> names, Duration maxStaleness, Call call) {
        long asked = System.nanoTime();
        DocumentReference[] references = names.stream().map(schema::counter).toArray(DocumentReference[]::new);
        CompletableFuture<List<DocumentSnapshot>> documents =
                Futures.of(call, () -> schema.firestore().getAll(references));
        Map<String, CompletableFuture<Result<Reading>>> readings = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            int index = i;
            String name = names.get(i);
            readings.put(
                    name,
                    documents
                            .thenCompose(found -> fromRollup(name, found.get(index), asked, maxStaleness, call))
                            .exceptionally(failure ->
                                    Result.failed(FirestoreErrors.notRead("reading '" + name + "'", failure))));
        }
        return readings;
    }

    private CompletableFuture<Result<Reading>> fromRollup(
            String name, DocumentSnapshot counter, long asked, Duration maxStaleness, Call call) {
        Rollup rollup = Rollup.of(counter, schema.options());
        if (rollup != null) {
            long seen = asked - rollup.ageIn(counter); // when its age was nothing, by our clock
            Reading reading =
                    latest.remember(name, new Reading(rollup.total(), toInstant(rollup.at()), Duration.ZERO), seen);
            if (reading.staleness().compareTo(maxStaleness) <= 0 && latest.mayBeShown(reading)) {
                return CompletableFuture.completedFuture(Result.of(reading));
            }
        }
        return sum(name, call).thenApply(result -> {
            Reading sum = result.value();
            if (sum != null && counter.exists() && isDue(counter, rollup)) {
                leave(counter, sum);
            }
            return result;
        });
    }

    private boolean isDue(DocumentSnapshot counter, @Nullable Rollup rollup) {
        return rollup == null
                || rollup.ageIn(counter) >= schema.options().rollupCadence().toNanos();
    }

    /**
     * Only if nobody has touched the document since: whoever did has a newer roll-up, or has deleted the counter, which
     * must not come back. So a failure needs no care, and nobody waits for it.
     */
    private void leave(DocumentSnapshot counter, Reading sum) {
        Timestamp unchanged = counter.getUpdateTime();
        if (unchanged != null) {
            Map<String, Object> fields = Map.of(
                    schema.options().totalField(), sum.value(),
                    schema.options().totalTimeField(), toTimestamp(sum.asOf()));
            Object unused = counter.getReference().update(fields, Precondition.updatedAt(unchanged));
        }
    }

    private static Instant toInstant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }

    private static Timestamp toTimestamp(Instant instant) {
        return Timestamp.ofTimeSecondsAndNanos(instant.getEpochSecond(), instant.getNano());
    }
}
