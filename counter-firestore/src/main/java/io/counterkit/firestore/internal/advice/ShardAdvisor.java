package io.counterkit.firestore.internal.advice;

import io.counterkit.firestore.CounterActivity;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.ShardAdvice;
import java.time.Duration;
import java.util.Locale;

/** Recommends the shard count of a counter from the rate of its commits, their conflicts and their waits. */
public final class ShardAdvisor {
    /** Up to this many shards have no notable cost. */
    private static final int FEW = 10;

    private static final Duration NOTABLE_WAIT = Duration.ofMillis(50);

    /** Conflicts and waits of fewer commits are not significant. */
    private static final int ENOUGH_COMMITS = 10;

    private ShardAdvisor() {}

    /**
     * Returns the advice for a counter.
     *
     * @param shards the number of its shards
     * @param perShard the maximum number of writes per second that one shard should get
     * @param lately the estimated recent writes per second of all processes
     * @param activity the statistics of this process
     */
    public static ShardAdvice advise(int shards, double perShard, double lately, CounterActivity activity) {
        return advise(shards, perShard, lately, activity, 2 * FEW, FEW);
    }

    /**
     * Returns the advice for a counter.
     *
     * @param kept the shard count up to which fewer shards are never advised
     * @param least the minimum shard count to advise when fewer shards are enough
     */
    static ShardAdvice advise(
            int shards, double perShard, double lately, CounterActivity activity, int kept, int least) {
        double busiest = Math.max(lately, activity.busiest());
        int needed = clamp(Math.ceil(busiest / perShard));
        String load = String.format(
                Locale.ROOT,
                "%.1f commits a second (%s) are %.2f for each of %d shards, and one shard should get %s a second",
                busiest,
                lately >= activity.busiest()
                        ? "all processes, by the ages of the shards"
                        : "this process at its busiest",
                busiest / shards,
                shards,
                plain(perShard));
        boolean isEnough = activity.commits() >= ENOUGH_COMMITS;
        if (needed > shards) {
            return new ShardAdvice(needed, load);
        }
        if (isEnough && activity.conflicts() * 20 > activity.commits()) {
            return doubled(
                    shards,
                    String.format(
                            Locale.ROOT,
                            "%d conflicts or lock timeouts in %d commits: writers meet on the same shards",
                            activity.conflicts(),
                            activity.commits()));
        }
        if (isEnough && activity.meanWait().compareTo(NOTABLE_WAIT) >= 0) {
            return doubled(
                    shards,
                    String.format(
                            Locale.ROOT,
                            "commits waited %d ms on average for a shard below its rate of %s writes a second",
                            activity.meanWait().toMillis(),
                            plain(perShard)));
        }
        if (shards > kept && needed * 4 <= shards) {
            return new ShardAdvice(
                    Math.max(least, 2 * needed),
                    load + "; fewer shards make reset, delete and describe cheaper, a sum costs the same up to 1,000");
        }
        return new ShardAdvice(
                shards, busiest < 0.05 ? "almost nothing was added lately; keep the shards" : load + "; enough");
    }

    private static ShardAdvice doubled(int shards, String reason) {
        int more = clamp(2.0 * shards);
        return more > shards
                ? new ShardAdvice(more, reason)
                : new ShardAdvice(shards, reason + "; this is the most shards: add from fewer processes");
    }

    private static int clamp(double shards) {
        return (int) Math.max(1, Math.min(shards, FirestoreCounterOptions.MAX_SHARDS));
    }

    private static String plain(double rate) {
        return rate == Math.rint(rate) ? String.valueOf((long) rate) : String.valueOf(rate);
    }
}
