package io.counterkit.datastore.cloud;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.chapter.concurrency.ProcessesChapter;
import io.counterkit.tck.chapter.outcome.LostRepliesChapter;
import io.counterkit.tck.chapter.sequence.SequencesChapter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** The chapters of the contract that depend on the kind of a Datastore, and that take seconds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EmulatorChapters extends BackendTests {
    private final Emulator emulator;

    EmulatorChapters(Emulator emulator) {
        this.emulator = emulator;
    }

    @AfterAll
    final void stopEmulator() {
        if (emulator != Emulator.FRESH) { // which further tests use
            emulator.stop();
        }
    }

    @Override
    protected final BackendFixture createFixture() {
        return emulator.store();
    }

    @Nested
    final class Processes extends ProcessesChapter {}

    @Nested
    final class LostReplies extends LostRepliesChapter {}

    @Nested
    final class Sequences extends SequencesChapter {}
}
