package io.counterkit.firestore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.chapter.ExactlyOnceChapter;
import org.junit.jupiter.api.Nested;

/** The chapter of the contract that stamps concern most; {@link StampContractTest} has all. */
class StampChaptersTest {
    @Nested
    final class ExactlyOnce extends ExactlyOnceChapter {
        @Override
        protected BackendFixture createFixture() {
            return new FirestoreFixture(
                    FirestoreCounterOptions.builder()
                            .writeStrategy(WriteStrategy.STAMP)
                            .build(),
                    FirestoreFixture.ClientRetries.DEFAULT);
        }
    }
}
