package io.counterkit.examples.likes.wall;

import io.counterkit.CountersListener;
import io.counterkit.spi.ChangeTarget;

/** Counts the likes and the commits that this process sends to the store. Thread-safe. */
public final class Commits implements CountersListener {
    private Figures figures = new Figures(0, 0, 0);

    /**
     * Likes and commits.
     *
     * @param commits how many commits were sent
     * @param adds how many likes they carried
     * @param largest the most likes in one commit
     */
    public record Figures(long commits, long adds, int largest) {
        /** Returns the average number of likes in a commit; 0 without commits. */
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

    /** Returns the current figures. */
    public synchronized Figures figures() {
        return figures;
    }
}
