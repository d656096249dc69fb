package io.counterkit.firestore.stamp;

import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.chapter.outcome.ExactlyOnceChapter;
import io.counterkit.tck.chapter.outcome.LostRepliesChapter;
import org.junit.jupiter.api.Nested;

/** The chapters of the contract that stamps concern most; {@link StampContractTest} has all. */
class StampChaptersTest extends BackendTests {
    @Override
    protected BackendFixture createFixture() {
        return new FirestoreFixture(
                FirestoreCounterOptions.builder()
                        .writeStrategy(WriteStrategy.STAMP)
                        .build(),
                FirestoreFixture.ClientRetries.DEFAULT);
    }

    @Nested
    final class ExactlyOnce extends ExactlyOnceChapter {}

    @Nested
    final class LostReplies extends LostRepliesChapter {}
}
