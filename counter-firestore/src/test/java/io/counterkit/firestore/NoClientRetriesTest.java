package io.counterkit.firestore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.chapter.ExactlyOnceChapter;
import io.counterkit.tck.chapter.FailureChapter;
import io.counterkit.tck.chapter.SealingChapter;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The chapters of the contract in which calls fail, with a client without retries. */
@Tag("exhaustive")
class NoClientRetriesTest {
    private static BackendFixture fixture() {
        return new FirestoreFixture(FirestoreCounterOptions.defaults(), FirestoreFixture.ClientRetries.NONE);
    }

    @Nested
    final class ExactlyOnce extends ExactlyOnceChapter {
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

    @Nested
    final class Sealing extends SealingChapter {
        @Override
        protected BackendFixture createFixture() {
            return fixture();
        }
    }
}
