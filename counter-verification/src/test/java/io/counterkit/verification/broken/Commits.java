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

    /** Returns a commit that only the backend knows. */
    static Commit lasting(Duration time) {
        return new Commit(time, RandomGenerator.getDefault(), CountersListener.disabled());
    }
}
