package io.counterkit.firestore.contract;

import io.counterkit.firestore.FirestoreCounterOptions;
import org.junit.jupiter.api.Tag;

/** The contract with one shard. */
@Tag("exhaustive")
class OneShardTest extends CounterChapters {
    @Override
    protected FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder().shards(1).build();
    }
}
