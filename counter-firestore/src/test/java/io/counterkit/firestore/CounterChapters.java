package io.counterkit.firestore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.chapter.AddingChapter;
import io.counterkit.tck.chapter.ConcurrencyChapter;
import io.counterkit.tck.chapter.RangeChapter;
import io.counterkit.tck.chapter.ReadingChapter;
import io.counterkit.tck.chapter.ResetChapter;
import io.counterkit.tck.chapter.SealingChapter;
import org.junit.jupiter.api.Nested;

/** The chapters of the contract that depend on how a counter is sharded. */
abstract class CounterChapters {
    abstract FirestoreCounterOptions options();

    private BackendFixture fixture() {
        return new FirestoreFixture(options(), FirestoreFixture.ClientRetries.DEFAULT);
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
    final class Concurrency extends ConcurrencyChapter {
        @Override
        protected BackendFixture createFixture() {
            return fixture();
        }
    }

    @Nested
    final class Range extends RangeChapter {
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
    final class Reset extends ResetChapter {
        @Override
        protected BackendFixture createFixture() {
            return fixture();
        }
    }
}
