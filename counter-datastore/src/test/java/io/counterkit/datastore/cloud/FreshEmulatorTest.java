package io.counterkit.datastore.cloud;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.chapter.AddingChapter;
import io.counterkit.tck.chapter.ConcurrencyChapter;
import io.counterkit.tck.chapter.EntriesChapter;
import io.counterkit.tck.chapter.RangeChapter;
import io.counterkit.tck.chapter.ReadingChapter;
import io.counterkit.tck.chapter.ResetChapter;
import io.counterkit.tck.chapter.SequencesChapter;
import org.junit.jupiter.api.Nested;

/** The chapters of the contract that take seconds on the Datastore emulator. */
class FreshEmulatorTest {
    @Nested
    final class Adding extends AddingChapter {
        @Override
        protected BackendFixture createFixture() {
            return SharedEmulator.store();
        }
    }

    @Nested
    final class Reading extends ReadingChapter {
        @Override
        protected BackendFixture createFixture() {
            return SharedEmulator.store();
        }
    }

    @Nested
    final class Concurrency extends ConcurrencyChapter {
        @Override
        protected BackendFixture createFixture() {
            return SharedEmulator.store();
        }
    }

    @Nested
    final class Range extends RangeChapter {
        @Override
        protected BackendFixture createFixture() {
            return SharedEmulator.store();
        }
    }

    @Nested
    final class Reset extends ResetChapter {
        @Override
        protected BackendFixture createFixture() {
            return SharedEmulator.store();
        }
    }

    @Nested
    final class Sequences extends SequencesChapter {
        @Override
        protected BackendFixture createFixture() {
            return SharedEmulator.store();
        }
    }

    @Nested
    final class Entries extends EntriesChapter {
        @Override
        protected BackendFixture createFixture() {
            return SharedEmulator.store();
        }
    }
}
