package io.counterkit.firestore.contract;

import io.counterkit.firestore.FirestoreCounterOptions;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The contract of counters with roll-ups that are kept fresh, which {@code top} queries. */
@Tag("exhaustive")
class KeptFreshTest extends CounterChapters {
    @Override
    protected FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder()
                .keepFresh("")
                .rollupCadence(Duration.ofMillis(20))
                .build();
    }
}
