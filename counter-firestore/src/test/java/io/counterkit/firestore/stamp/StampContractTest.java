package io.counterkit.firestore.stamp;

import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.Tag;

/** The whole contract with stamps in the shards instead of token documents, where that is possible. */
@Tag("exhaustive")
class StampContractTest extends CounterBackendContract {
    @Override
    protected BackendFixture createFixture() {
        return new FirestoreFixture(
                FirestoreCounterOptions.builder()
                        .writeStrategy(WriteStrategy.STAMP)
                        .build(),
                FirestoreFixture.ClientRetries.DEFAULT);
    }
}
