package io.counterkit.firestore;

import java.time.Duration;
import java.util.Locale;

/**
 * How many shards a counter should have, and why. A recommendation from what was seen, not a measure of what the store
 * bears: Google publishes no rate for one document, and says that it is to be found by trying.
 *
 * @param shards the recommended shard count, 1 to 1,000; {@link FirestoreCounterBackend#reshard} gives it
 * @param reason why, in a sentence
 */
public record ShardAdvice(int shards, String reason) {
    /** Fewer shards than this are no burden to anybody. */
    private static final int FEW = 10;

    private static final Duration NOTABLE_WAIT = Duration.ofMillis(50);

    /** So many commits, before what became of them says anything. */
    private static final int ENOUGH_COMMITS = 10;

    /**
     * The advice for a counter.
     *
     * @param shards how many it has
     * @param perShard how many writes a second one shard is to get at most
     * @param lately how many writes a second all processes together seem to make, by the ages of the shards
     * @param activity what this process has seen
     */
    public static ShardAdvice of(int shards, double perShard, double lately, CounterActivity activity) {
        double busiest = Math.max(lately, activity.busiest());
        int needed = clamp(Math.ceil(busiest / perShard));
        String load = String.format(
                Locale.ROOT,
                "%.1f commits a second (%s) are %.2f for each of %d shards, and %s a second is what one should get",
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
                            "commits waited %d ms on average for a shard that may be written to, at %s a second each",
                            activity.meanWait().toMillis(),
                            plain(perShard)));
        }
        if (shards > 2 * FEW && needed * 4 <= shards) {
            return new ShardAdvice(
                    Math.max(FEW, 2 * needed),
                    load + "; fewer shards make reset, delete and describe cheaper, a sum costs the same up to 1,000");
        }
        return new ShardAdvice(
                shards, busiest < 0.05 ? "next to nothing was added lately; keep what there is" : load + "; enough");
    }

    private static ShardAdvice doubled(int shards, String reason) {
        int more = clamp(2.0 * shards);
        return more > shards
                ? new ShardAdvice(more, reason)
                : new ShardAdvice(shards, reason + "; more shards than that there cannot be: add from fewer processes");
    }

    private static int clamp(double shards) {
        return (int) Math.max(1, Math.min(shards, FirestoreCounterOptions.MAX_SHARDS));
    }

    private static String plain(double rate) {
        return rate == Math.rint(rate) ? String.valueOf((long) rate) : String.valueOf(rate);
    }
}
