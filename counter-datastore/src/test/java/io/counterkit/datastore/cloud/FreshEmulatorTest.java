package io.counterkit.datastore.cloud;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.chapter.concurrency.ConcurrencyChapter;
import io.counterkit.tck.chapter.counter.AddingChapter;
import io.counterkit.tck.chapter.counter.RangeChapter;
import io.counterkit.tck.chapter.counter.ReadingChapter;
import io.counterkit.tck.chapter.counter.ResetChapter;
import io.counterkit.tck.chapter.sequence.EntriesChapter;
import io.counterkit.tck.chapter.sequence.SequencesChapter;
import org.junit.jupiter.api.Nested;

/** The chapters of the contract that take seconds on the Datastore emulator. */
class FreshEmulatorTest extends BackendTests {
    @Override
    protected BackendFixture createFixture() {
        return SharedEmulator.store();
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
    final class Reset extends ResetChapter {}

    @Nested
    final class Sequences extends SequencesChapter {}

    @Nested
    final class Entries extends EntriesChapter {}
}
