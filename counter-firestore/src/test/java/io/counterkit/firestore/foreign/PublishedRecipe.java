package io.counterkit.firestore.foreign;

import com.google.cloud.firestore.AggregateField;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.WriteBatch;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;

/** The distributed counter of Firestore's documentation, with Firestore's client alone. */
public final class PublishedRecipe {
    private static final int SHARDS = 10;

    private final Random random = new Random();
    private final Firestore firestore;
    private final DocumentReference counter;

    public PublishedRecipe(Firestore firestore, String name) {
        this.firestore = firestore;
        this.counter = firestore.collection("counters").document(name);
    }

    public void create() throws ExecutionException, InterruptedException {
        WriteBatch batch = firestore.batch().set(counter, Map.of("num_shards", SHARDS));
        for (int shard = 0; shard < SHARDS; shard++) {
            batch.set(shard(shard), Map.of("count", 0));
        }
        batch.commit().get();
    }

    /** Returns when Firestore's client reports success. */
    public void increment() throws ExecutionException, InterruptedException {
        shard(random.nextInt(SHARDS)).update("count", FieldValue.increment(1)).get();
    }

    public long total() throws ExecutionException, InterruptedException {
        AggregateField sum = AggregateField.sum("count");
        Long total = counter.collection("shards").aggregate(sum).get().get().getLong(sum);
        return total == null ? 0 : total;
    }

    private DocumentReference shard(int shard) {
        return counter.collection("shards").document(Integer.toString(shard));
    }
}
