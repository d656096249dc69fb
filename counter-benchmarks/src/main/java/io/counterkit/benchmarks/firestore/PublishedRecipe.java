package io.counterkit.benchmarks.firestore;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.WriteBatch;
import com.google.common.util.concurrent.MoreExecutors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** The counter of Firestore's documentation: increments a random shard, and reads all shards to add them up. */
final class PublishedRecipe {
    private static final int AT_ONCE = 100;

    private final DocumentReference counter;
    private final int shards;

    private PublishedRecipe(DocumentReference counter, int shards) {
        this.counter = counter;
        this.shards = shards;
    }

    static PublishedRecipe create(Firestore firestore, String name, int shards) {
        return createAsync(firestore, name, shards).join();
    }

    /** Creates counters that are numbered from 0. */
    static List<PublishedRecipe> createMany(Firestore firestore, String prefix, int count, int shards) {
        List<PublishedRecipe> recipes = new ArrayList<>();
        while (recipes.size() < count) {
            List<CompletableFuture<PublishedRecipe>> some = IntStream.range(
                            recipes.size(), Math.min(count, recipes.size() + AT_ONCE))
                    .mapToObj(i -> createAsync(firestore, prefix + i, shards))
                    .toList();
            some.forEach(recipe -> recipes.add(recipe.join()));
        }
        return recipes;
    }

    /** Opens counters that {@link #createMany} created. */
    static List<PublishedRecipe> openMany(Firestore firestore, String prefix, int count, int shards) {
        return IntStream.range(0, count)
                .mapToObj(i -> new PublishedRecipe(document(firestore, prefix + i), shards))
                .toList();
    }

    private static CompletableFuture<PublishedRecipe> createAsync(Firestore firestore, String name, int shards) {
        DocumentReference counter = document(firestore, name);
        WriteBatch batch = firestore.batch().set(counter, Map.of("num_shards", shards));
        for (int i = 0; i < shards; i++) {
            batch.set(counter.collection("shards").document(Integer.toString(i)), Map.of("count", 0L));
        }
        return future(batch.commit()).thenApply(written -> new PublishedRecipe(counter, shards));
    }

    private static DocumentReference document(Firestore firestore, String name) {
        return firestore.collection("counters").document(name);
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
