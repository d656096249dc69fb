package io.counterkit.firestore.internal.extension;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.Transaction;
import io.counterkit.firestore.FirestoreTransaction;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One transaction for one document. It moves the adds into the counters, and sets the fields to the new totals. The
 * adds of clients are in shards, and the adds of the extension's function are in the fields.
 *
 * <p>The marker states which part of a field the counter includes. It changes in the same transaction, so a repeated
 * transfer finds nothing to move, even if the first reply was lost. The extension's function changes fields and shards
 * in transactions too, so each increment is in exactly one shard, partial, field or counter.
 */
final class Transfer {
    private static final int MOST_SHARDS = 200;

    private final ExtensionSource source;
    private final DocumentImport.InitialState before;
    private final DocumentReference document;
    private final @Nullable String after;
    private final Map<String, String> problems = new LinkedHashMap<>();
    private final Map<CountedField, Long> moved = new LinkedHashMap<>();
    private final Set<String> fieldsOfShards = new TreeSet<>();
    private int shardsMoved;
    private @Nullable String last;
    private boolean isFull;

    /**
     * Creates a transfer.
     *
     * @param after the shard after which it starts; null for the first one
     */
    Transfer(ExtensionSource source, DocumentImport.InitialState before, @Nullable String after) {
        this.source = source;
        this.before = before;
        this.document = before.document().getReference();
        this.after = after;
    }

    /** Thrown if another import has changed the counters since their totals were read. */
    static final class ChangedMeanwhile extends RuntimeException {
        private static final long serialVersionUID = 1;

        ChangedMeanwhile() {
            super(null, null, false, false);
        }
    }

    /** Thrown if there is nothing to write, so that the transaction is not committed. */
    static final class NothingToMove extends RuntimeException {
        private static final long serialVersionUID = 1;

        NothingToMove() {
            super(null, null, false, false);
        }
    }

    static Map<String, Object> dataOf(DocumentSnapshot document) {
        Map<String, Object> data = document.getData();
        return data == null ? Map.of() : data;
    }

    /** Runs the body of the transaction: all reads, and then all writes. It may run several times. */
    void run(FirestoreTransaction transaction) throws ExecutionException, InterruptedException {
        problems.clear();
        moved.clear();
        fieldsOfShards.clear();
        shardsMoved = 0;
        Transaction store = transaction.transaction();
        DocumentReference marker = before.marker().getReference();
        List<DocumentSnapshot> read = store.getAll(document, marker).get();
        if (!Objects.equals(read.get(1).getUpdateTime(), before.marker().getUpdateTime())) {
            throw new ChangedMeanwhile();
        }
        List<ExtensionShard> shards = shards(store.get(page()).get());
        Map<CountedField, Amount> found = new HashMap<>();
        Map<ExtensionShard, List<CountedField>> taken = addUp(shards, found);
        boolean isDeleted = !read.get(0).exists();
        Map<CountedField, Long> shown = new HashMap<>();
        Map<String, Long> counted = new HashMap<>();
        // Shards of other fields do not create the document.
        Map<CountedField, Long> totals = isDeleted && found.isEmpty() ? Map.of() : before.totals();
        totals.forEach((field, total) -> {
            Amount now = field.in(dataOf(read.get(0)));
            // A field that was deleted with its document, and has no shards, is not subtracted.
            long was = isDeleted && !found.containsKey(field) ? 0 : ExtensionSource.counted(dataOf(read.get(1)), field);
            Amount sum = now.plus(found.getOrDefault(field, Amount.ABSENT));
            long delta = Limits.saturatedSum(sum.value(), -was);
            if (sum.problem() == null && (delta > Limits.MAX_DELTA || delta < -Limits.MAX_DELTA)) {
                sum = Amount.invalid("it grew by " + delta + ", more than the 2^53 that one add can have");
            }
            if (sum.problem() != null) {
                problems.put(field.text(), sum.problem());
                taken.values().forEach(fields -> fields.remove(field));
                return;
            }
            if (delta != 0) {
                transaction.add(ExtensionSource.counter(document, field), delta);
            }
            if (sum.isPresent() || was != 0) {
                moved.put(field, delta);
            }
            long after = total + delta;
            if (now.value() != after) {
                shown.put(field, after);
            }
            if (was != after || delta != 0) {
                counted.put(field.text(), after);
            }
        });
        taken.entrySet()
                .removeIf(each -> each.getValue().isEmpty() && !each.getKey().isEmpty());
        if (shown.isEmpty() && counted.isEmpty() && taken.isEmpty()) {
            throw new NothingToMove();
        }
        show(store, shown);
        if (!counted.isEmpty()) {
            store.set(marker, source.markerFields(document, counted), SetOptions.merge());
        }
        taken.forEach((shard, fields) -> shard.remove(fields, store));
        shardsMoved = taken.size();
    }

    private Query page() {
        Query all = document.collection(ExtensionShard.COLLECTION).orderBy(FieldPath.documentId());
        return (after == null ? all : all.startAfter(after)).limit(MOST_SHARDS);
    }

    private List<ExtensionShard> shards(QuerySnapshot page) {
        List<ExtensionShard> shards = new ArrayList<>();
        for (QueryDocumentSnapshot shard : page) {
            shards.add(new ExtensionShard(shard));
        }
        isFull = shards.size() == MOST_SHARDS;
        last = shards.isEmpty() ? after : shards.get(shards.size() - 1).id();
        return shards;
    }

    /** Adds the shards to {@code found}, and returns the fields that can be taken from each shard. */
    private Map<ExtensionShard, List<CountedField>> addUp(
            List<ExtensionShard> shards, Map<CountedField, Amount> found) {
        Map<ExtensionShard, List<CountedField>> taken = new LinkedHashMap<>();
        for (ExtensionShard shard : shards) {
            List<CountedField> fields = new ArrayList<>();
            for (CountedField field : before.totals().keySet()) {
                Amount amount = shard.amount(field);
                if (amount.problem() != null) {
                    problems.put(field.text() + "' of shard '" + shard.id().strip(), amount.problem());
                } else if (amount.isPresent()) {
                    fields.add(field);
                    found.merge(field, amount, Amount::plus);
                }
            }
            taken.put(shard, fields);
            shard.addFields(fieldsOfShards);
        }
        return taken;
    }

    private void show(Transaction store, Map<CountedField, Long> totals) {
        if (totals.isEmpty()) {
            return;
        }
        Map<String, Object> fields = new HashMap<>();
        totals.forEach((field, total) -> put(fields, field.segments(), total));
        List<FieldPath> paths = totals.keySet().stream().map(CountedField::path).toList();
        store.set(document, fields, SetOptions.mergeFieldPaths(paths));
    }

    @SuppressWarnings("unchecked") // the maps are those of this method
    private static void put(Map<String, Object> fields, List<String> segments, long value) {
        if (segments.size() == 1) {
            fields.put(segments.get(0), value);
        } else {
            Object inner = fields.computeIfAbsent(segments.get(0), segment -> new HashMap<String, Object>());
            put((Map<String, Object>) inner, segments.subList(1, segments.size()), value);
        }
    }

    /** Returns the last shard of this transfer; null if the document has none. */
    @Nullable String last() {
        return last;
    }

    /** Returns whether there may be more shards. */
    boolean isFull() {
        return isFull;
    }

    /** Reports the committed transfer, and adds its fields to {@code counters}. */
    void reportTo(Findings findings, Set<CountedField> counters) {
        problems.forEach((field, problem) -> findings.left(document, "field '" + field + "': " + problem));
        moved.forEach((field, delta) -> {
            counters.add(field);
            findings.moved(delta);
        });
        findings.shards(shardsMoved);
        findings.fieldsOfShards(fieldsOfShards);
    }
}
