package io.counterkit.benchmarks.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/** The counter of Firestore's documentation: an increment of a random shard; reading gets all of them and adds up. */
final class PublishedRecipe {
    private final DocumentReference counter;
    private final int shards;

    private PublishedRecipe(DocumentReference counter, int shards) {
        this.counter = counter;
        this.shards = shards;
    }

    static PublishedRecipe create(Firestore firestore, String name, int shards) {
        DocumentReference counter = firestore.collection("counters").document(name);
        CollectionReference collection = counter.collection("shards");
        future(counter.set(Map.of("num_shards", shards))).join();
        for (int i = 0; i < shards; i++) {
            future(collection.document(Integer.toString(i)).set(Map.of("count", 0L)))
                    .join();
        }
        return new PublishedRecipe(counter, shards);
    }

    CompletableFuture<?> increment() {
        String shard = Integer.toString(ThreadLocalRandom.current().nextInt(shards));
        return future(counter.collection("shards").document(shard).update("count", FieldValue.increment(1)));
    }

    CompletableFuture<Long> total() {
        return future(counter.collection("shards").get()).thenApply(found -> {
            long total = 0;
            for (QueryDocumentSnapshot shard : found.getDocuments()) {
                Long count = shard.getLong("count");
                total += count == null ? 0 : count;
            }
            return total;
        });
    }

    private static <T> CompletableFuture<T> future(ApiFuture<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        ApiFutures.addCallback(
                call,
                new ApiFutureCallback<>() {
                    @Override
                    public void onSuccess(T value) {
                        result.complete(value);
                    }

                    @Override
                    public void onFailure(Throwable failure) {
                        result.completeExceptionally(failure);
                    }
                },
                MoreExecutors.directExecutor());
        return result;
    }
}
