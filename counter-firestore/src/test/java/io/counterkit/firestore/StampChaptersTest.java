package io.counterkit.firestore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.chapter.AddingChapter;
import io.counterkit.tck.chapter.ExactlyOnceChapter;
import io.counterkit.tck.chapter.ResetChapter;
import org.junit.jupiter.api.Nested;

/** The chapters of the contract that stamps concern most; {@link StampContractTest} has all. */
class StampChaptersTest {
    private static BackendFixture fixture() {
        return new FirestoreFixture(
                FirestoreCounterOptions.builder()
                        .writeStrategy(WriteStrategy.STAMP)
                        .build(),
                FirestoreFixture.ClientRetries.DEFAULT);
    }

    @Nested
    final class Adding extends AddingChapter {
        @Override
        protected BackendFixture createFixture() {
            return fixture();
        }
    }

    @Nested
    final class ExactlyOnce extends ExactlyOnceChapter {
        @Override
        protected BackendFixture createFixture() {
            return fixture();
        }
    }

    @Nested
    final class Reset extends ResetChapter {
        @Override
        protected BackendFixture createFixture() {
            return fixture();
        }
    }
}
