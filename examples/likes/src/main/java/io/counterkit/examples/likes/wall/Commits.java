package io.counterkit.examples.likes.wall;

import io.counterkit.CountersListener;
import io.counterkit.spi.ChangeTarget;

/** Counts how many likes went to the store in how many commits. Thread-safe. */
public final class Commits implements CountersListener {
    private Figures figures = new Figures(0, 0, 0);

    /**
     * The likes that were sent to the store by this process.
     *
     * @param commits in how many commits
     * @param adds how many likes
     * @param largest the most likes in one commit
     */
    public record Figures(long commits, long adds, int largest) {
        /** How many likes there were in a commit on average; 0 if there was none. */
        public double perCommit() {
            return commits == 0 ? 0 : (double) adds / commits;
        }
    }

    @Override
    public synchronized void onBatch(Batch batch) {
        if (batch.kind() == ChangeTarget.Kind.COUNTER) {
            figures = new Figures(
                    figures.commits + 1, figures.adds + batch.requests(), Math.max(figures.largest, batch.requests()));
        }
    }

    /** The figures as they are now. */
    public synchronized Figures figures() {
        return figures;
    }
}
