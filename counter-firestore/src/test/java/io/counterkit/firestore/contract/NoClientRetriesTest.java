package io.counterkit.firestore.contract;

import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.chapter.migration.SealingChapter;
import io.counterkit.tck.chapter.outcome.ExactlyOnceChapter;
import io.counterkit.tck.chapter.outcome.FailureChapter;
import io.counterkit.tck.chapter.outcome.LostRepliesChapter;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The chapters of the contract in which calls fail, with a client without retries. */
@Tag("exhaustive")
class NoClientRetriesTest extends BackendTests {
    @Override
    protected BackendFixture createFixture() {
        return new FirestoreFixture(FirestoreCounterOptions.defaults(), FirestoreFixture.ClientRetries.NONE);
    }

    @Nested
    final class ExactlyOnce extends ExactlyOnceChapter {}

    @Nested
    final class LostReplies extends LostRepliesChapter {}

    @Nested
    final class Failure extends FailureChapter {}

    @Nested
    final class Sealing extends SealingChapter {}
}
