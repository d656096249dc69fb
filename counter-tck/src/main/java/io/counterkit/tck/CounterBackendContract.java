package io.counterkit.tck;

import io.counterkit.tck.chapter.concurrency.AddRacesChapter;
import io.counterkit.tck.chapter.concurrency.BatchRacesChapter;
import io.counterkit.tck.chapter.concurrency.ConcurrencyChapter;
import io.counterkit.tck.chapter.concurrency.HistoriesChapter;
import io.counterkit.tck.chapter.concurrency.PairsChapter;
import io.counterkit.tck.chapter.concurrency.ProcessesChapter;
import io.counterkit.tck.chapter.counter.AddingChapter;
import io.counterkit.tck.chapter.counter.BatchesChapter;
import io.counterkit.tck.chapter.counter.CommitsChapter;
import io.counterkit.tck.chapter.counter.CounterListenersChapter;
import io.counterkit.tck.chapter.counter.LargeBatchesChapter;
import io.counterkit.tck.chapter.counter.RangeChapter;
import io.counterkit.tck.chapter.counter.ReadAllChapter;
import io.counterkit.tck.chapter.counter.ReadingChapter;
import io.counterkit.tck.chapter.counter.ResetChapter;
import io.counterkit.tck.chapter.counter.TopChapter;
import io.counterkit.tck.chapter.counter.WatchChapter;
import io.counterkit.tck.chapter.counter.WatchedNamesChapter;
import io.counterkit.tck.chapter.migration.AddressesChapter;
import io.counterkit.tck.chapter.migration.ImportedChapter;
import io.counterkit.tck.chapter.migration.ImportingChapter;
import io.counterkit.tck.chapter.migration.RememberedImportChapter;
import io.counterkit.tck.chapter.migration.SealRefusalsChapter;
import io.counterkit.tck.chapter.migration.SealedNamesChapter;
import io.counterkit.tck.chapter.migration.SealingChapter;
import io.counterkit.tck.chapter.outcome.ExactlyOnceChapter;
import io.counterkit.tck.chapter.sequence.AppendBatchesChapter;
import io.counterkit.tck.chapter.sequence.CheckpointChapter;
import io.counterkit.tck.chapter.sequence.EntriesChapter;
import io.counterkit.tck.chapter.sequence.FollowChapter;
import io.counterkit.tck.chapter.sequence.FollowersChapter;
import io.counterkit.tck.chapter.sequence.LargeEntriesChapter;
import io.counterkit.tck.chapter.sequence.NumbersChapter;
import io.counterkit.tck.chapter.sequence.SequencesChapter;
import io.counterkit.tck.chapter.sequence.ValuesChapter;
import io.counterkit.tck.chapter.store.CursorsChapter;
import io.counterkit.tck.chapter.store.DistinctChapter;
import io.counterkit.tck.chapter.store.IsolationChapter;
import io.counterkit.tck.chapter.store.KeysChapter;
import io.counterkit.tck.chapter.store.NamesChapter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * The whole contract of {@code SPEC.md} as tests. Extend this class once for each backend:
 *
 * <pre>{@code
 * class MyBackendTest extends CounterBackendContract {
 *     protected BackendFixture createFixture() {
 *         return new MyFixture();
 *     }
 * }
 * }</pre>
 *
 * <p>Another configuration of the same backend may run only the chapters that it affects, by nesting those
 * chapters, such as {@link ExactlyOnceChapter}, in a subclass of {@link BackendTests}. No rule can be overridden or
 * left out.
 */
public abstract class CounterBackendContract extends OutcomeTests {
    /** Creates the store for one test. */
    @Override
    protected abstract BackendFixture createFixture();

    @Nested
    @DisplayName("1 Names and absence")
    final class NamesAndAbsence extends NamesChapter {}

    @Nested
    @DisplayName("1 Names and absence: cursors")
    final class Cursors extends CursorsChapter {}

    @Nested
    @DisplayName("2 Adding")
    final class Adding extends AddingChapter {}

    @Nested
    @DisplayName("2 Adding: mixed batches")
    final class Batches extends BatchesChapter {}

    @Nested
    @DisplayName("2, 8 Adding: many counters and many adds")
    final class LargeBatches extends LargeBatchesChapter {}

    @Nested
    @DisplayName("2, 5, 8 Adding: the tokens of commits")
    final class Commits extends CommitsChapter {}

    @Nested
    @DisplayName("3 Reading and consistency")
    final class ReadingAndConsistency extends ReadingChapter {}

    @Nested
    @DisplayName("3 Reading and consistency: many counters")
    final class ManyCounters extends ReadAllChapter {}

    @Nested
    @DisplayName("3 Reading and consistency: watches")
    final class Watches extends WatchChapter {}

    @Nested
    @DisplayName("3 Reading and consistency: watches of several counters")
    final class WatchedNames extends WatchedNamesChapter {}

    @Nested
    @DisplayName("3 Reading and consistency: listeners of counters")
    final class CounterListeners extends CounterListenersChapter {}

    @Nested
    @DisplayName("3 Reading and consistency: largest counters")
    final class Largest extends TopChapter {}

    @Nested
    @DisplayName("4 Concurrency")
    final class Concurrency extends ConcurrencyChapter {}

    @Nested
    @DisplayName("4 Concurrency: contending processes")
    final class Processes extends ProcessesChapter {}

    @Nested
    @DisplayName("4 Concurrency: all operations")
    final class Pairs extends PairsChapter {}

    @Nested
    @DisplayName("4 Concurrency: batches of appends, tokens of several names")
    final class BatchRaces extends BatchRacesChapter {}

    @Nested
    @DisplayName("4 Concurrency: batches of adds")
    final class AddRaces extends AddRacesChapter {}

    @Nested
    @DisplayName("6 Range and overflow")
    final class RangeAndOverflow extends RangeChapter {}

    @Nested
    @DisplayName("8 Reset and delete")
    final class ResetAndDelete extends ResetChapter {}

    @Nested
    @DisplayName("9 Isolation")
    final class Isolation extends IsolationChapter {}

    @Nested
    @DisplayName("9 Isolation: keys of the store")
    final class Keys extends KeysChapter {}

    @Nested
    @DisplayName("9 Isolation: similar texts")
    final class Distinct extends DistinctChapter {}

    @Nested
    @DisplayName("10 Sequences")
    final class Sequences extends SequencesChapter {}

    @Nested
    @DisplayName("10 Sequences: fields of entries")
    final class Entries extends EntriesChapter {}

    @Nested
    @DisplayName("10 Sequences: mixed batches")
    final class AppendBatches extends AppendBatchesChapter {}

    @Nested
    @DisplayName("10 Sequences: large entries")
    final class LargeEntries extends LargeEntriesChapter {}

    @Nested
    @DisplayName("10 Sequences: extreme values")
    final class Values extends ValuesChapter {}

    @Nested
    @DisplayName("6, 10 Sequences: large numbers")
    final class Numbers extends NumbersChapter {}

    @Nested
    @DisplayName("11 Sealing")
    final class Sealing extends SealingChapter {}

    @Nested
    @DisplayName("11, 13 Sealing and importing: addresses")
    final class Addresses extends AddressesChapter {}

    @Nested
    @DisplayName("11, 13 Sealing and importing: states of names")
    final class SealedNames extends SealedNamesChapter {}

    @Nested
    @DisplayName("11 Sealing: refusals")
    final class SealRefusals extends SealRefusalsChapter {}

    @Nested
    @DisplayName("13 Importing")
    final class Importing extends ImportingChapter {}

    @Nested
    @DisplayName("13 Importing: imports are remembered")
    final class RememberedImport extends RememberedImportChapter {}

    @Nested
    @DisplayName("13 Importing: subjects, entries and failures")
    final class Imported extends ImportedChapter {}

    @Nested
    @DisplayName("14 Histories")
    final class Histories extends HistoriesChapter {}

    @Nested
    @DisplayName("15 Following")
    final class Following extends FollowChapter {}

    @Nested
    @DisplayName("15 Following: several followers")
    final class SeveralFollowers extends FollowersChapter {}

    @Nested
    @DisplayName("15 Following: checkpoints")
    final class Checkpoints extends CheckpointChapter {}
}
