package io.counterkit.firestore.internal.read;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Query;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.firestore.internal.client.DocumentIds;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.Futures;
import io.counterkit.firestore.internal.client.NameQuery;
import io.counterkit.spi.Call;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The largest counters under a prefix by their roll-ups. Where these are kept fresh by all who change the counters, the
 * store finds the largest, and one query tells. Elsewhere nobody knows which roll-ups are late, so every counter under
 * the prefix is looked at, and those whose roll-up is older than the cadence are summed.
 */
public final class TopQuery {
    private static final Comparator<NamedReading> LARGEST_FIRST = Comparator.comparingLong(
                    (NamedReading named) -> named.reading().value())
            .reversed()
            .thenComparing(NamedReading::name);

    private final FirestoreSchema schema;
    private final CounterReads reads;
    private final String prefix;
    private final int limit;
    private final Call call;

    public TopQuery(FirestoreSchema schema, CounterReads reads, String prefix, int limit, Call call) {
        this.schema = schema;
        this.reads = reads;
        this.prefix = prefix;
        this.limit = limit;
        this.call = call;
    }

    public CompletableFuture<List<NamedReading>> find() {
        String fresh = schema.options().freshPrefix();
        return fresh != null && prefix.startsWith(fresh) ? byRollups() : byLookingAtAll(null, List.of());
    }

    private CompletableFuture<List<NamedReading>> byRollups() {
        List<CompletableFuture<List<NamedReading>>> found = DocumentIds.startingWith(prefix).stream()
                .map(range -> {
                    long asked = System.nanoTime();
                    return schema.requests()
                            .of(call, largestIn(range)::get)
                            .thenCompose(answer -> shown(answer.getDocuments(), asked));
                })
                .toList();
        return Futures.all(found).thenApply(parts -> {
            List<NamedReading> all = new ArrayList<>();
            parts.forEach(all::addAll);
            return largest(all);
        });
    }

    /** Needs the index of {@code firestore.indexes.json}: largest first, equal ones by name. */
    private Query largestIn(DocumentIds.Range range) {
        String total = schema.options().totalField();
        // Numbers only: texts that somebody else has put there would come before all of them.
        Query query = schema.counters()
                .select(total, schema.options().totalTimeField())
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

    /** As the roll-ups have them, unless this process has seen newer totals; what has no roll-up of ours is summed. */
    private CompletableFuture<List<NamedReading>> shown(List<? extends DocumentSnapshot> documents, long asked) {
        List<NamedReading> shown = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (DocumentSnapshot document : documents) {
            String name = DocumentIds.nameOf(document.getId());
            if (name == null) {
                continue; // a document that somebody else has put there
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

    private CompletableFuture<List<NamedReading>> byLookingAtAll(@Nullable String cursor, List<NamedReading> before) {
        return new NameQuery(schema, schema.counters(), prefix, Limits.MAX_PAGE, call)
                .page(cursor)
                .thenCompose(page -> read(page.names()).thenCompose(more -> {
                    List<NamedReading> all = new ArrayList<>(before);
                    all.addAll(more);
                    List<NamedReading> largest = largest(all);
                    return page.next() == null
                            ? CompletableFuture.completedFuture(largest)
                            : byLookingAtAll(page.next(), largest);
                }));
    }

    private CompletableFuture<List<NamedReading>> read(List<String> names) {
        Duration cadence = schema.options().rollupCadence();
        return reads.read(names, cadence, call).thenApply(results -> {
            List<NamedReading> readings = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                Result<Reading> result = results.get(i);
                readings.add(new NamedReading(names.get(i), result.orThrow()));
            }
            return readings;
        });
    }

    private List<NamedReading> largest(List<NamedReading> readings) {
        return readings.stream().sorted(LARGEST_FIRST).limit(limit).toList();
    }
}
