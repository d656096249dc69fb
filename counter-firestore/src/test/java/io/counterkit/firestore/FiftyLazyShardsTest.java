package io.counterkit.firestore;

/** Many shards, each made when it is first added to, so that most of the time some are missing. */
class FiftyLazyShardsTest extends CounterChapters {
    @Override
    FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder()
                .shards(50)
                .seeding(Seeding.ON_FIRST_USE)
                .build();
    }
}
