package io.counterkit.inmemory;

import io.counterkit.spi.BatchLimits;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.chapter.concurrency.HistoriesChapter;

/**
 * The histories alone, to run very many of them. Its name is not that of a test, so that no build runs them twice:
 * {@code -Dtest=InMemoryHistories -Dcounterkit.histories=1000000 -Dcounterkit.box.seconds=36000}.
 */
class InMemoryHistories extends HistoriesChapter {
    @Override
    protected BackendFixture createFixture() {
        return new InMemoryFixture(BatchLimits.none());
    }
}
