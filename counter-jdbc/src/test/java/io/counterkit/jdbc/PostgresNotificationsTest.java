package io.counterkit.jdbc;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.chapter.concurrency.ConcurrencyChapter;
import io.counterkit.tck.chapter.concurrency.HistoriesChapter;
import io.counterkit.tck.chapter.concurrency.ProcessesChapter;
import io.counterkit.tck.chapter.counter.AddingChapter;
import io.counterkit.tck.chapter.counter.CounterListenersChapter;
import io.counterkit.tck.chapter.counter.LargeBatchesChapter;
import io.counterkit.tck.chapter.counter.ResetChapter;
import io.counterkit.tck.chapter.counter.WatchChapter;
import io.counterkit.tck.chapter.counter.WatchedNamesChapter;
import io.counterkit.tck.chapter.migration.ImportingChapter;
import io.counterkit.tck.chapter.migration.RememberedImportChapter;
import io.counterkit.tck.chapter.outcome.FailureChapter;
import io.counterkit.tck.chapter.outcome.LostRepliesChapter;
import io.counterkit.tck.chapter.sequence.CheckpointChapter;
import io.counterkit.tck.chapter.sequence.FollowChapter;
import io.counterkit.tck.chapter.sequence.FollowersChapter;
import io.counterkit.tck.chapter.sequence.SequencesChapter;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The chapters of the contract with watches and followers, and with the changes that notify them. */
@Tag("exhaustive")
class PostgresNotificationsTest extends BackendTests {
    @Override
    protected BackendFixture createFixture() {
        return PostgresFixture.notifying();
    }

    @Nested
    final class Adding extends AddingChapter {}

    @Nested
    final class LargeBatches extends LargeBatchesChapter {}

    @Nested
    final class Reset extends ResetChapter {}

    @Nested
    final class Watch extends WatchChapter {}

    @Nested
    final class WatchedNames extends WatchedNamesChapter {}

    @Nested
    final class CounterListeners extends CounterListenersChapter {}

    @Nested
    final class Concurrency extends ConcurrencyChapter {}

    @Nested
    final class Histories extends HistoriesChapter {}

    @Nested
    final class Processes extends ProcessesChapter {}

    @Nested
    final class Sequences extends SequencesChapter {}

    @Nested
    final class Follow extends FollowChapter {}

    @Nested
    final class Followers extends FollowersChapter {}

    @Nested
    final class Checkpoint extends CheckpointChapter {}

    @Nested
    final class Importing extends ImportingChapter {}

    @Nested
    final class RememberedImport extends RememberedImportChapter {}

    @Nested
    final class LostReplies extends LostRepliesChapter {}

    @Nested
    final class Failure extends FailureChapter {}
}
