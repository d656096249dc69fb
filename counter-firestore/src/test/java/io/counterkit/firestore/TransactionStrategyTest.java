package io.counterkit.firestore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.chapter.AddingChapter;
import io.counterkit.tck.chapter.ExactlyOnceChapter;
import io.counterkit.tck.chapter.FailureChapter;
import io.counterkit.tck.chapter.ReadingChapter;
import io.counterkit.tck.chapter.SealingChapter;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The chapters of the contract with few writers, with the transactions of the recipe's first version. */
@Tag("exhaustive")
class TransactionStrategyTest {
    private static BackendFixture fixture() {
        return new FirestoreFixture(
                FirestoreCounterOptions.builder()
                        .writeStrategy(WriteStrategy.TRANSACTION)
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
    final class Reading extends ReadingChapter {
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
    final class Sealing extends SealingChapter {
        @Override
        protected BackendFixture createFixture() {
            return fixture();
        }
    }

    @Nested
    final class Failure extends FailureChapter {
        @Override
        protected BackendFixture createFixture() {
            return fixture();
        }
    }
}
