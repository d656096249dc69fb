package io.counterkit.tck.chapter;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.verification.broken.FlawedFixture;
import org.junit.jupiter.api.Nested;

/**
 * The chapters whose rules the API layer keeps, over one that does not keep them. Surefire does not select its name.
 */
public class LooseApiChapters {
    @Nested
    class Names extends NamesChapter {
        @Override
        protected BackendFixture createFixture() {
            return FlawedFixture.modest();
        }

        @Override
        Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Adding extends AddingChapter {
        @Override
        protected BackendFixture createFixture() {
            return FlawedFixture.modest();
        }

        @Override
        Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Reading extends ReadingChapter {
        @Override
        protected BackendFixture createFixture() {
            return FlawedFixture.modest();
        }

        @Override
        Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Watches extends WatchChapter {
        @Override
        protected BackendFixture createFixture() {
            return FlawedFixture.modest();
        }

        @Override
        Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Entries extends EntriesChapter {
        @Override
        protected BackendFixture createFixture() {
            return FlawedFixture.modest();
        }

        @Override
        Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Sealing extends SealingChapter {
        @Override
        protected BackendFixture createFixture() {
            return FlawedFixture.modest();
        }

        @Override
        Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Lifecycle extends LifecycleChapter {
        @Override
        protected BackendFixture createFixture() {
            return FlawedFixture.modest();
        }

        @Override
        Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }

    @Nested
    class Following extends FollowChapter {
        @Override
        protected BackendFixture createFixture() {
            return FlawedFixture.modest();
        }

        @Override
        Counters open(CounterBackend backend, CountersOptions options) {
            return LooseApi.over(backend, options);
        }
    }
}
