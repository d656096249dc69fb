package io.counterkit.firestore;

/** A counter in one place, as without the recipe. */
class OneShardTest extends CounterChapters {
    @Override
    FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder().shards(1).build();
    }
}
