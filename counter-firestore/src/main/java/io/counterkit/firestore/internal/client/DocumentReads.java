package io.counterkit.firestore.internal.client;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.spi.Call;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Reads of many documents. */
public final class DocumentReads {
    private static final int MOST_DOCUMENTS = 300;

    private DocumentReads() {}

    /**
     * Reads the documents of {@code keys} in one call, and retries within the deadline. Returns them by key, in order.
     */
    public static <K> CompletableFuture<Map<K, DocumentSnapshot>> byKey(
            FirestoreSchema schema, Call call, Collection<K> keys, Function<K, DocumentReference> reference) {
        List<K> asked = List.copyOf(keys);
        if (asked.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        DocumentReference[] references = asked.stream().map(reference).toArray(DocumentReference[]::new);
        return schema.client()
                .read(call, () -> schema.firestore().getAll(references))
                .thenApply(documents -> {
                    Map<K, DocumentSnapshot> found = new LinkedHashMap<>();
                    for (int i = 0; i < references.length; i++) {
                        found.put(asked.get(i), documents.get(i));
                    }
                    return found;
                });
    }

    /** Splits a list into groups of at most {@value #MOST_DOCUMENTS}, for calls that read many documents. */
    public static <T> List<List<T>> groups(List<T> all) {
        return groups(all, MOST_DOCUMENTS);
    }

    /** Splits a list into groups of at most {@code most}. */
    public static <T> List<List<T>> groups(List<T> all, int most) {
        List<List<T>> groups = new ArrayList<>();
        for (int from = 0; from < all.size(); from += most) {
            groups.add(all.subList(from, Math.min(all.size(), from + most)));
        }
        return groups;
    }
}
