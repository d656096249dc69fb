package io.counterkit.firestore.contract;

import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.chapter.counter.AddingChapter;
import io.counterkit.tck.chapter.counter.ReadingChapter;
import io.counterkit.tck.chapter.migration.SealingChapter;
import io.counterkit.tck.chapter.outcome.ExactlyOnceChapter;
import io.counterkit.tck.chapter.outcome.FailureChapter;
import io.counterkit.tck.chapter.outcome.LostRepliesChapter;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The chapters of the contract with few writers, with the transactions of the recipe's first version. */
@Tag("exhaustive")
class TransactionStrategyTest extends BackendTests {
    @Override
    protected BackendFixture createFixture() {
        return new FirestoreFixture(
                FirestoreCounterOptions.builder()
                        .writeStrategy(WriteStrategy.TRANSACTION)
                        .build(),
                FirestoreFixture.ClientRetries.DEFAULT);
    }

    @Nested
    final class Adding extends AddingChapter {}

    @Nested
    final class Reading extends ReadingChapter {}

    @Nested
    final class ExactlyOnce extends ExactlyOnceChapter {}

    @Nested
    final class LostReplies extends LostRepliesChapter {}

    @Nested
    final class Sealing extends SealingChapter {}

    @Nested
    final class Failure extends FailureChapter {}
}
