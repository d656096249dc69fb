package io.counterkit.verification.broken;

import io.counterkit.CountersListener;
import io.counterkit.spi.Commit;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** What a backend does that does not stay with the commit it was given. */
final class Commits {
    private Commits() {}

    /** One that has a token of its own. */
    static Commit another(Commit commit) {
        return lasting(commit.remaining());
    }

    /** One that nobody but the backend knows of. */
    static Commit lasting(Duration time) {
        return new Commit(time, RandomGenerator.getDefault(), CountersListener.disabled());
    }
}
