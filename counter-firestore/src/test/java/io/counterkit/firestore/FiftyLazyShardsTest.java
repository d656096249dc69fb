package io.counterkit.firestore;

/** The contract with many shards, each created by its first add, so that some are usually missing. */
class FiftyLazyShardsTest extends CounterChapters {
    @Override
    FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder()
                .shards(50)
                .seeding(Seeding.ON_FIRST_USE)
                .build();
    }
}
