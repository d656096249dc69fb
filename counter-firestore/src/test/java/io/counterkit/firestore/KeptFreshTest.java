package io.counterkit.firestore;

import java.time.Duration;

/** What the contract says of counters, with roll-ups that are kept fresh: lists of the largest are queries of these. */
class KeptFreshTest extends CounterChapters {
    @Override
    FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder()
                .keepFresh("")
                .rollupCadence(Duration.ofMillis(20))
                .build();
    }
}
