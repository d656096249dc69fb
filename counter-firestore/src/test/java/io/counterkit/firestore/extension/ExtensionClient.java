package io.counterkit.firestore.extension;

import com.google.api.gax.rpc.AbortedException;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.SetOptions;
import io.counterkit.firestore.fixture.TestStore;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;

/** A counter of the extension's published clients: each has a shard of its own, with a random id. */
final class ExtensionClient {
    private final DocumentReference document;
    private final String field;
    private final String shardId = UUID.randomUUID().toString();

    ExtensionClient(Firestore firestore, String document, String field) {
        this.document = firestore.document(document);
        this.field = field;
    }

    DocumentReference shard() {
        return document.collection("_counter_shards_").document(shardId);
    }

    /** Increments as the clients for the web, Node and Dart do. */
    void incrementBy(long value) {
        increment(FieldValue.increment(value));
    }

    /** Increments as the clients for Android and iOS do. */
    void incrementBy(double value) {
        increment(FieldValue.increment(value));
    }

    private void increment(Object increment) {
        Object update = increment;
        String[] parts = field.split("\\.", -1);
        for (int i = parts.length - 1; i > 0; i--) {
            update = Map.of(parts[i], update);
        }
        Map<String, Object> fields = Map.of(parts[0], update);
        while (true) {
            try {
                shard().set(fields, SetOptions.merge()).get();
                return;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof AbortedException)) {
                    throw new AssertionError(e.getCause());
                }
                // The shard was locked, and nothing was written. Firebase's clients send the write again too.
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Returns the value that this client shows: that of the document and of its shard. There are no partials. */
    double get() {
        return value(document) + value(shard());
    }

    private double value(DocumentReference reference) {
        DocumentSnapshot snapshot = TestStore.await(reference.get());
        Double value = snapshot.exists() ? snapshot.getDouble(field) : null;
        return value == null ? 0 : value;
    }
}
