package io.counterkit.firestore.extension;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.SetOptions;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.StoreError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/**
 * The functions of the Firebase extension Distributed Counter 0.2.15, as far as they write: its controller, which moves
 * up to 200 shards into their documents, and its worker, which moves them into partials, and these into the document.
 * As in its sources, partials are read outside of the transaction, and only appended to.
 */
final class ExtensionFunction {
    private static final int LIMIT = 200;
    private static final String SHARDS = "_counter_shards_";

    private final Firestore firestore;

    ExtensionFunction(Firestore firestore) {
        this.firestore = firestore;
    }

    /** Does what {@code ShardedCounterController.aggregateOnce} does. Returns the number of documents that it moved. */
    int aggregateOnce() {
        return TestStore.await(firestore.runTransaction(transaction -> {
            List<QueryDocumentSnapshot> found = transaction
                    .get(firestore
                            .collectionGroup(SHARDS)
                            .orderBy(FieldPath.documentId())
                            .limit(LIMIT))
                    .get()
                    .getDocuments();
            Map<DocumentReference, List<DocumentSnapshot>> plans = found.stream()
                    .collect(Collectors.groupingBy(
                            shard -> shard.getReference().getParent().getParent(),
                            LinkedHashMap::new,
                            Collectors.toList()));
            Map<DocumentReference, Map<String, Object>> updates = new LinkedHashMap<>();
            for (Map.Entry<DocumentReference, List<DocumentSnapshot>> plan : plans.entrySet()) {
                Map<String, Object> data = transaction.get(plan.getKey()).get().getData();
                Map<String, Object> update = aggregate(plan.getValue());
                addCommonFields(data == null ? Map.of() : data, update);
                updates.put(plan.getKey(), update);
            }
            updates.forEach((document, update) -> transaction.set(document, stored(update), SetOptions.merge()));
            found.forEach(shard -> transaction.delete(shard.getReference()));
            return found.size();
        }));
    }

    /** A round of {@code ShardedCounterWorker} for one document, in steps so that others may write between them. */
    final class Worker {
        private final DocumentReference document;
        private final List<DocumentSnapshot> shards = new ArrayList<>();
        private final List<DocumentSnapshot> partials = new ArrayList<>();

        Worker(DocumentReference document) {
            this.document = document;
        }

        /** Reads what the listener of its slice shows. */
        Worker look() {
            for (QueryDocumentSnapshot shard :
                    TestStore.await(document.collection(SHARDS).limit(100).get())) {
                (shard.getId().startsWith("\t") ? partials : shards).add(shard);
            }
            return this;
        }

        /** Moves shards into the partial of a prefix of 1 to 4 characters. */
        void intoPartial(int prefix) {
            Map<String, List<DocumentSnapshot>> plans = shards.stream()
                    .collect(Collectors.groupingBy(
                            shard -> "\t".repeat(5 - prefix) + shard.getId().substring(0, prefix)));
            plans.forEach((id, plan) -> orSkip(firestore.runTransaction(transaction -> {
                List<DocumentSnapshot> read = reread(plan, transaction);
                Map<String, Object> update = aggregate(read);
                if (!isNoop(update)) {
                    transaction.set(
                            document.collection(SHARDS).document(id),
                            Map.of("_updates_", FieldValue.arrayUnion(element(update))),
                            SetOptions.merge());
                }
                read.forEach(shard -> transaction.delete(shard.getReference()));
                return null;
            })));
        }

        /** Moves shards and partials into the document. The partials are those that were looked at. */
        void intoDocument() {
            orSkip(firestore.runTransaction(transaction -> {
                List<DocumentSnapshot> read = reread(shards, transaction);
                Map<String, Object> data = transaction.get(document).get().getData();
                List<DocumentSnapshot> all = new ArrayList<>(read);
                all.addAll(partials);
                Map<String, Object> update = aggregate(all);
                addCommonFields(data == null ? Map.of() : data, update);
                transaction.set(document, stored(update), SetOptions.merge());
                read.forEach(shard -> transaction.delete(shard.getReference()));
                for (DocumentSnapshot partial : partials) {
                    Map<String, Object> sum = new HashMap<>();
                    merge(aggregate(List.of(partial)), sum, -1);
                    if (!isNoop(sum)) {
                        transaction.set(
                                partial.getReference(),
                                Map.of("_updates_", FieldValue.arrayUnion(element(sum))),
                                SetOptions.merge());
                    }
                }
                return null;
            }));
        }

        private List<DocumentSnapshot> reread(
                List<DocumentSnapshot> plan, com.google.cloud.firestore.Transaction transaction) throws Exception {
            DocumentReference[] references =
                    plan.stream().map(DocumentSnapshot::getReference).toArray(DocumentReference[]::new);
            return references.length == 0
                    ? List.of()
                    : transaction.getAll(references).get().stream()
                            .filter(DocumentSnapshot::exists)
                            .toList();
        }
    }

    /**
     * Waits for a transaction. The function skips one that has too many conflicts, and tries again in its next round.
     */
    private static void orSkip(ApiFuture<?> transaction) {
        try {
            transaction.get();
        } catch (ExecutionException e) {
            if (FirestoreErrors.of(e) != StoreError.CONTENTION) {
                throw new AssertionError(e.getCause());
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, Object> element(Map<String, Object> update) {
        return Map.of("_id_", UUID.randomUUID().toString(), "_data_", stored(update));
    }

    private static Map<String, Object> aggregate(List<DocumentSnapshot> shards) {
        Map<String, Object> update = new HashMap<>();
        for (DocumentSnapshot shard : shards) {
            if (!shard.getId().startsWith("\t")) {
                merge(shard.getData(), update, 1);
            } else {
                for (Object each : (List<?>) shard.get("_updates_")) {
                    merge((Map<?, ?>) ((Map<?, ?>) each).get("_data_"), update, 1);
                }
            }
        }
        return update;
    }

    @SuppressWarnings("unchecked")
    private static void merge(Map<?, ?> from, Map<String, Object> to, int sign) {
        from.forEach((name, value) -> {
            String key = (String) name;
            if (value instanceof Number number) {
                double delta = sign * number.doubleValue();
                to.put(key, to.get(key) instanceof Double before ? before + delta : delta);
            } else if (value instanceof Map<?, ?> inner) {
                if (!(to.get(key) instanceof Map)) {
                    to.put(key, new HashMap<String, Object>());
                }
                merge(inner, (Map<String, Object>) to.get(key), sign);
            }
        });
    }

    @SuppressWarnings("unchecked")
    private static void addCommonFields(Map<String, ?> from, Map<String, Object> to) {
        to.replaceAll((key, value) -> {
            Object before = from.get(key);
            if (value instanceof Double sum && before instanceof Number number) {
                return sum + number.doubleValue();
            }
            if (value instanceof Map<?, ?> inner && before instanceof Map<?, ?> map) {
                addCommonFields((Map<String, ?>) map, (Map<String, Object>) inner);
            }
            return value;
        });
    }

    private static boolean isNoop(Map<?, ?> update) {
        return update.values().stream()
                .allMatch(value -> value instanceof Map<?, ?> inner ? isNoop(inner) : value.equals(0.0));
    }

    /** Returns numbers as the Node client stores them: whole ones as integers. */
    private static Map<String, Object> stored(Map<?, ?> update) {
        Map<String, Object> stored = new HashMap<>();
        update.forEach((key, value) -> stored.put(
                (String) key,
                value instanceof Map<?, ?> inner
                        ? stored(inner)
                        : value instanceof Double number && number == Math.rint(number)
                                ? (Object) number.longValue()
                                : value));
        return stored;
    }
}
