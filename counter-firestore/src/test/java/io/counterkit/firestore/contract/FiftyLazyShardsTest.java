package io.counterkit.firestore.contract;

import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Seeding;
import org.junit.jupiter.api.Tag;

/** The contract with many shards, each created by its first add, so that some are usually missing. */
@Tag("exhaustive")
class FiftyLazyShardsTest extends CounterChapters {
    @Override
    protected FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder()
                .shards(50)
                .seeding(Seeding.ON_FIRST_USE)
                .build();
    }
}
