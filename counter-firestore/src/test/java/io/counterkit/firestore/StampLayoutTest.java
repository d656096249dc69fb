package io.counterkit.firestore;

import org.junit.jupiter.api.Tag;

/** The contract with stamps in flat collections of few shards, each created by its first add. */
@Tag("exhaustive")
class StampLayoutTest extends CounterChapters {
    @Override
    FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder()
                .writeStrategy(WriteStrategy.STAMP)
                .flatShards()
                .seeding(Seeding.ON_FIRST_USE)
                .shards(3)
                .build();
    }
}
