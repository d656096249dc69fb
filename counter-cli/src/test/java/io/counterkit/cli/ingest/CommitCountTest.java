package io.counterkit.cli.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CountersListener;
import io.counterkit.spi.ChangeTarget;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CommitCountTest {
    private final CommitCount commits = new CommitCount();

    private static CountersListener.Batch batch(ChangeTarget.Kind kind, int requests) {
        return new CountersListener.Batch(kind, "a", requests, requests - 1, 0, 0, Duration.ZERO);
    }

    @Test
    void addsOfCounters_areCounted_andAppendsAreNot() {
        commits.onBatch(batch(ChangeTarget.Kind.COUNTER, 1));
        commits.onBatch(batch(ChangeTarget.Kind.COUNTER, 6));
        commits.onBatch(batch(ChangeTarget.Kind.SEQUENCE, 100));

        assertThat(commits.commits()).isEqualTo(2);
    }
}
