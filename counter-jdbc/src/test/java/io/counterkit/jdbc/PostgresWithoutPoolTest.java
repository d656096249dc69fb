package io.counterkit.jdbc;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.chapter.outcome.FailureChapter;

/** Without a pool each transaction connects, which is one more call that can fail. */
class PostgresWithoutPoolTest extends FailureChapter {
    @Override
    protected BackendFixture createFixture() {
        return PostgresFixture.withoutPool();
    }
}
