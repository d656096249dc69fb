package io.counterkit.firestore.contract;

import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.chapter.concurrency.ConcurrencyChapter;
import io.counterkit.tck.chapter.counter.AddingChapter;
import io.counterkit.tck.chapter.counter.RangeChapter;
import io.counterkit.tck.chapter.counter.ReadingChapter;
import io.counterkit.tck.chapter.counter.ResetChapter;
import io.counterkit.tck.chapter.migration.SealingChapter;
import org.junit.jupiter.api.Nested;

/** The chapters of the contract that depend on how a counter is sharded. */
public abstract class CounterChapters extends BackendTests {
    protected abstract FirestoreCounterOptions options();

    @Override
    protected BackendFixture createFixture() {
        return new FirestoreFixture(options(), FirestoreFixture.ClientRetries.DEFAULT);
    }

    @Nested
    final class Adding extends AddingChapter {}

    @Nested
    final class Reading extends ReadingChapter {}

    @Nested
    final class Concurrency extends ConcurrencyChapter {}

    @Nested
    final class Range extends RangeChapter {}

    @Nested
    final class Sealing extends SealingChapter {}

    @Nested
    final class Reset extends ResetChapter {}
}
