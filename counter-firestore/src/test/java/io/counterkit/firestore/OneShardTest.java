package io.counterkit.firestore;

import org.junit.jupiter.api.Tag;

/** The contract with one shard. */
@Tag("exhaustive")
class OneShardTest extends CounterChapters {
    @Override
    FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder().shards(1).build();
    }
}
