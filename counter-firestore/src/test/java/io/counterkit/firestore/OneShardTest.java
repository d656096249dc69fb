package io.counterkit.firestore;

/** The contract with one shard. */
class OneShardTest extends CounterChapters {
    @Override
    FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder().shards(1).build();
    }
}
