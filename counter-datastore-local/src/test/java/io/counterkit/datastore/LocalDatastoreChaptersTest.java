package io.counterkit.datastore;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.chapter.concurrency.ProcessesChapter;
import io.counterkit.tck.chapter.outcome.LostRepliesChapter;
import io.counterkit.tck.chapter.sequence.SequencesChapter;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The chapters of the contract that depend most on a local Datastore that writes each commit to disk. */
@Tag("exhaustive")
class LocalDatastoreChaptersTest extends BackendTests {
    @TempDir
    private Path directory;

    @Override
    protected BackendFixture createFixture() {
        return new LocalDatastoreFixture(directory);
    }

    @Nested
    final class Processes extends ProcessesChapter {}

    @Nested
    final class LostReplies extends LostRepliesChapter {}

    @Nested
    final class Sequences extends SequencesChapter {}
}
