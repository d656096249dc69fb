package io.counterkit.firestore.stamp;

import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.contract.CounterChapters;
import org.junit.jupiter.api.Tag;

/** The contract with stamps in flat collections of few shards, each created by its first add. */
@Tag("exhaustive")
class StampLayoutTest extends CounterChapters {
    @Override
    protected FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder()
                .writeStrategy(WriteStrategy.STAMP)
                .flatShards()
                .seeding(Seeding.ON_FIRST_USE)
                .shards(3)
                .build();
    }
}
