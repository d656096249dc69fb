package io.counterkit.verification.broken.flaw;

import io.counterkit.CountersListener;
import io.counterkit.spi.Commit;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Commits other than the one that a backend received. */
public final class Commits {
    private Commits() {}

    /** Returns a commit with a token of its own. */
    public static Commit another(Commit commit) {
        return lasting(commit.remaining());
    }

    /** Returns a commit for a call that only the backend knows. */
    public static Commit own() {
        return lasting(Duration.ofSeconds(20));
    }

    /** Returns a commit with this deadline that only the backend knows. */
    public static Commit lasting(Duration time) {
        return new Commit(time, RandomGenerator.getDefault(), CountersListener.disabled());
    }
}
