package io.counterkit.verification.broken;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.chapter.counter.AddingChapter;
import io.counterkit.tck.chapter.counter.ReadingChapter;
import io.counterkit.tck.chapter.counter.TopChapter;
import io.counterkit.tck.chapter.counter.WatchChapter;
import io.counterkit.tck.chapter.counter.WatchedNamesChapter;
import io.counterkit.tck.chapter.migration.SealingChapter;
import io.counterkit.tck.chapter.sequence.EntriesChapter;
import io.counterkit.tck.chapter.sequence.FollowChapter;
import io.counterkit.tck.chapter.store.LifecycleChapter;
import io.counterkit.tck.chapter.store.NamesChapter;
import org.junit.jupiter.api.Nested;

/**
 * The chapters whose rules the API layer keeps, over one that does not keep them. Surefire does not select its name.
 */
class LooseApiChapters extends BackendTests {
    @Override
    protected BackendFixture createFixture() {
        return FlawedFixture.modest();
    }

    @Nested
    class Names extends NamesChapter {
        @Override
        protected Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Adding extends AddingChapter {
        @Override
        protected Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Reading extends ReadingChapter {
        @Override
        protected Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Top extends TopChapter {
        @Override
        protected Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Watches extends WatchChapter {
        @Override
        protected Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class SeveralWatches extends WatchedNamesChapter {
        @Override
        protected Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Entries extends EntriesChapter {
        @Override
        protected Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Sealing extends SealingChapter {
        @Override
        protected Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Lifecycle extends LifecycleChapter {
        @Override
        protected Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Following extends FollowChapter {
        @Override
        protected Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }
}
