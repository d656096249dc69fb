package io.counterkit.datastore.cloud;

import io.counterkit.tck.chapter.counter.AddingChapter;
import io.counterkit.tck.chapter.migration.SealingChapter;
import io.counterkit.tck.chapter.outcome.ExactlyOnceChapter;
import io.counterkit.tck.chapter.sequence.EntriesChapter;
import io.counterkit.tck.chapter.store.CursorsChapter;
import io.counterkit.tck.chapter.store.NamesChapter;
import org.junit.jupiter.api.Nested;

/** More chapters than on the other kinds, since the algorithm is the same. */
class FreshEmulatorTest extends EmulatorChapters {
    FreshEmulatorTest() {
        super(Emulator.FRESH);
    }

    @Nested
    final class Adding extends AddingChapter {}

    @Nested
    final class ExactlyOnce extends ExactlyOnceChapter {}

    @Nested
    final class Cursors extends CursorsChapter {}

    @Nested
    final class Names extends NamesChapter {}

    @Nested
    final class Entries extends EntriesChapter {}

    @Nested
    final class Sealing extends SealingChapter {}
}
