package io.counterkit.tck;

import io.counterkit.tck.chapter.AddingChapter;
import io.counterkit.tck.chapter.AddressesChapter;
import io.counterkit.tck.chapter.BatchesChapter;
import io.counterkit.tck.chapter.CheckpointChapter;
import io.counterkit.tck.chapter.ConcurrencyChapter;
import io.counterkit.tck.chapter.DecisionsChapter;
import io.counterkit.tck.chapter.DistinctChapter;
import io.counterkit.tck.chapter.EdgesChapter;
import io.counterkit.tck.chapter.EntriesChapter;
import io.counterkit.tck.chapter.ExactlyOnceChapter;
import io.counterkit.tck.chapter.FailureChapter;
import io.counterkit.tck.chapter.FollowChapter;
import io.counterkit.tck.chapter.HistoriesChapter;
import io.counterkit.tck.chapter.ImportedChapter;
import io.counterkit.tck.chapter.ImportingChapter;
import io.counterkit.tck.chapter.IsolationChapter;
import io.counterkit.tck.chapter.LateChangesChapter;
import io.counterkit.tck.chapter.LifecycleChapter;
import io.counterkit.tck.chapter.NamesChapter;
import io.counterkit.tck.chapter.OutcomesChapter;
import io.counterkit.tck.chapter.PairsChapter;
import io.counterkit.tck.chapter.ProcessesChapter;
import io.counterkit.tck.chapter.RangeChapter;
import io.counterkit.tck.chapter.ReadingChapter;
import io.counterkit.tck.chapter.ResetChapter;
import io.counterkit.tck.chapter.ResourcesChapter;
import io.counterkit.tck.chapter.SealingChapter;
import io.counterkit.tck.chapter.SequencesChapter;
import io.counterkit.tck.chapter.SizesChapter;
import io.counterkit.tck.chapter.ValuesChapter;
import io.counterkit.tck.chapter.WatchChapter;
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
 * <p>Another configuration of the same backend may run only the chapters that it affects, by extending those chapters,
 * such as {@link ExactlyOnceChapter}. No rule can be overridden or left out.
 */
public abstract class CounterBackendContract {
    /** Creates the store for one test. */
    protected abstract BackendFixture createFixture();

    @Nested
    @DisplayName("1 Names and absence")
    final class NamesAndAbsence extends NamesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("2 Adding")
    final class Adding extends AddingChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("2 Adding: mixed batches")
    final class Batches extends BatchesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("3 Reading and consistency")
    final class ReadingAndConsistency extends ReadingChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("3 Reading and consistency: watches")
    final class Watches extends WatchChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("4 Concurrency")
    final class Concurrency extends ConcurrencyChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("4 Concurrency: contending processes")
    final class Processes extends ProcessesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("4 Concurrency: all operations")
    final class Pairs extends PairsChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("5 Exactly once")
    final class ExactlyOnce extends ExactlyOnceChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("5 Exactly once: late changes")
    final class LateChanges extends LateChangesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("5 Exactly once: decisions")
    final class Decisions extends DecisionsChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("6 Range and overflow")
    final class RangeAndOverflow extends RangeChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("7 Failure and outcome")
    final class FailureAndOutcome extends FailureChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("7 Failure and outcome: every operation")
    final class Outcomes extends OutcomesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("7 Failure and outcome: resources")
    final class Resources extends ResourcesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("8 Reset and delete")
    final class ResetAndDelete extends ResetChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("9 Isolation")
    final class Isolation extends IsolationChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("9 Isolation: similar texts")
    final class Distinct extends DistinctChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("10 Sequences")
    final class Sequences extends SequencesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("10 Sequences: fields of entries")
    final class Entries extends EntriesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("10 Sequences: extreme values")
    final class Values extends ValuesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("11 Sealing")
    final class Sealing extends SealingChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("11, 13 Sealing and importing: addresses")
    final class Addresses extends AddressesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("12 Lifecycle")
    final class Lifecycle extends LifecycleChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("13 Importing")
    final class Importing extends ImportingChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("13 Importing: subjects, entries and failures")
    final class Imported extends ImportedChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("14 Histories")
    final class Histories extends HistoriesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("Sizes beyond one page, cache or batch")
    final class Sizes extends SizesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("Rules in combination")
    final class Edges extends EdgesChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("15 Following")
    final class Following extends FollowChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }

    @Nested
    @DisplayName("15 Following: checkpoints")
    final class Checkpoints extends CheckpointChapter {
        @Override
        protected BackendFixture createFixture() {
            return CounterBackendContract.this.createFixture();
        }
    }
}
