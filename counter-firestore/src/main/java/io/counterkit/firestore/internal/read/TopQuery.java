package io.counterkit.firestore.internal.read;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Query;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.DocumentIds;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.NameQuery;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds the largest counters under a prefix by their roll-ups. If every process that changes the counters keeps the
 * roll-ups fresh, one query finds the largest. Otherwise some roll-ups may be late, so this reads every counter under
 * the prefix, and sums those whose roll-up is older than the cadence.
 */
public record TopQuery(FirestoreSchema schema, CounterReads reads, String prefix, int limit, Call call) {
    private static final Comparator<NamedReading> LARGEST_FIRST = Comparator.comparingLong(
                    (NamedReading named) -> named.reading().value())
            .reversed()
            .thenComparing(NamedReading::name);

    public CompletableFuture<List<NamedReading>> find() {
        String fresh = schema.options().freshPrefix();
        return fresh != null && prefix.startsWith(fresh) ? byRollups() : byReadingAll(null, List.of());
    }

    private CompletableFuture<List<NamedReading>> byRollups() {
        List<CompletableFuture<List<NamedReading>>> found = DocumentIds.startingWith(prefix).stream()
                .map(range -> {
                    long asked = System.nanoTime();
                    return schema.client()
                            .read(call, largestIn(range)::get)
                            .thenCompose(answer -> shown(answer.getDocuments(), asked));
                })
                .toList();
        return Futures.all(found).thenApply(parts -> {
            List<NamedReading> all = new ArrayList<>();
            parts.forEach(all::addAll);
            return largest(all);
        });
    }

    /**
     * Returns the query for counters in descending order of their totals, and equal ones by name. It needs the index of
     * {@code firestore.indexes.json}.
     */
    private Query largestIn(DocumentIds.Range range) {
        String total = schema.layout().totalField();
        // Selects only numbers: foreign texts would come first.
        Query query = schema.counters()
                .select(total, schema.layout().totalTimeField())
                .whereLessThanOrEqualTo(total, Limits.MAX_TOTAL);
        if (range.from() != null) {
            query = query.whereGreaterThanOrEqualTo(FieldPath.documentId(), range.from());
        }
        if (range.to() != null) {
            query = query.whereLessThan(FieldPath.documentId(), range.to());
        }
        return query.orderBy(total, Query.Direction.DESCENDING)
                .orderBy(FieldPath.documentId())
                .limit(limit);
    }

    /** Returns the readings of the roll-ups, or later ones of this process; sums counters without a valid roll-up. */
    private CompletableFuture<List<NamedReading>> shown(List<? extends DocumentSnapshot> documents, long asked) {
        List<NamedReading> shown = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (DocumentSnapshot document : documents) {
            String name = DocumentIds.nameOf(document.getId());
            if (name == null) {
                continue; // a foreign document
            }
            Reading reading = reads.fromRollup(name, document, asked);
            if (reading == null) {
                others.add(name);
            } else {
                shown.add(new NamedReading(name, reading));
            }
        }
        return read(others).thenApply(summed -> {
            shown.addAll(summed);
            return shown;
        });
    }

    private CompletableFuture<List<NamedReading>> byReadingAll(@Nullable String cursor, List<NamedReading> before) {
        return new NameQuery(schema, schema.counters(), prefix, Limits.MAX_PAGE, call)
                .page(cursor)
                .thenCompose(page -> read(page.names()).thenCompose(more -> {
                    List<NamedReading> all = new ArrayList<>(before);
                    all.addAll(more);
                    List<NamedReading> largest = largest(all);
                    return page.next() == null
                            ? CompletableFuture.completedFuture(largest)
                            : byReadingAll(page.next(), largest);
                }));
    }

    private CompletableFuture<List<NamedReading>> read(List<String> names) {
        Duration cadence = schema.options().rollupCadence();
        return reads.read(names, cadence, call).thenCompose(results -> {
            List<NamedReading> readings = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                Result<Reading> result = results.get(i);
                readings.add(new NamedReading(names.get(i), result.orThrow()));
            }
            return withoutDeleted(readings);
        });
    }

    /** Removes the counters that were deleted after they were listed. Their total is 0 then. */
    private CompletableFuture<List<NamedReading>> withoutDeleted(List<NamedReading> readings) {
        List<String> zeros = readings.stream()
                .filter(named -> named.reading().value() == 0)
                .map(NamedReading::name)
                .toList();
        return Futures.all(DocumentReads.groups(zeros).stream()
                        .map(group -> DocumentReads.byKey(schema, call, group, schema::counter))
                        .toList())
                .thenApply(groups -> {
                    Set<String> deleted = new HashSet<>();
                    groups.forEach(group -> group.forEach((name, counter) -> {
                        if (!counter.exists() || CounterSeal.isOfAbsent(counter)) {
                            deleted.add(name);
                        }
                    }));
                    return readings.stream()
                            .filter(named -> !deleted.contains(named.name()))
                            .toList();
                });
    }

    private List<NamedReading> largest(List<NamedReading> readings) {
        return readings.stream().sorted(LARGEST_FIRST).limit(limit).toList();
    }
}
