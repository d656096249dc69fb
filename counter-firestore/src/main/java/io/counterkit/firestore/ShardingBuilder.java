package io.counterkit.firestore;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects how counters are divided and written, with the defaults. Each method checks its value. */
abstract class ShardingBuilder extends LayoutBuilder {
    private @Nullable Integer shards;
    private int minShards;
    private int maxShards;
    private Seeding seeding = Seeding.AT_CREATION;
    private WriteStrategy writeStrategy = WriteStrategy.INCREMENT;
    private int commitsInFlight = 4;
    private @Nullable Double writesPerShard;
    private int writeBurst = 10;

    Sharding sharding() {
        return new Sharding(
                shards, minShards, maxShards, seeding, writeStrategy, commitsInFlight, writesPerShard, writeBurst);
    }

    /**
     * Sets the number of shards of a counter that its first add creates, 1 to 1,000. Default 10. Adds to one counter
     * are merged before they are sent, so a process needs one shard for each commit in flight, not for each caller.
     */
    public FirestoreCounterOptions.Builder shards(int shards) {
        this.shards = Sharding.checkCount(shards);
        return self();
    }

    /**
     * Lets the shard count of each counter follow its load, from {@code min} to {@code max} shards. By default a shard
     * count changes only by {@link FirestoreCounterBackend#reshard}. A counter that its first add creates begins with
     * {@link #shards}, by default 10 or what of {@code min} and {@code max} is nearest.
     *
     * <p>Each process decides for itself, from its own adds. It raises a shard count after at least a minute, if its
     * commits exceeded what the shards should get by {@link #writesPerShard} (1 a second where that sets no limit), if
     * one in twenty met the lock of another writer, or if they waited 50 ms on average for a shard; to {@code min}
     * at least. A counter that has fewer shards than {@code min} keeps them until then. It lowers a shard count after at
     * least an hour in which a quarter of the shards would have been enough, if the last writes of all processes say the
     * same. A process changes only a count that the store still has, and observes a new one for as long again. So a shard
     * count is raised about once a minute at most, however many processes add. Other processes learn of a change when
     * they want one themselves; adds with an old count are not lost, as with {@code reshard}.
     *
     * <p>Looking at the load costs nothing in the store, and a counter without adds is not looked at. Raising costs
     * what {@code reshard} costs, or one read if another process has raised the count already. Before a count is
     * lowered, once an hour at most in each process, a read for each shard. The change runs in the background; if it
     * fails, the shard count is as it was and a later look decides again, or it is lowered and surplus shards keep a
     * part of the total. Every read includes that part. The next look of this process moves it; if the process has
     * ended, it stays there until the count is lowered again, or {@code reshard} sets it.
     *
     * @param min the fewest shards, 1 or more
     * @param max the most shards, more than {@code min} and at most 1,000
     */
    public FirestoreCounterOptions.Builder adaptiveShards(int min, int max) {
        if (min >= max) {
            throw new IllegalArgumentException(
                    min + " to " + max + " adaptive shards: use a larger maximum, or a fixed number of shards");
        }
        minShards = Sharding.checkCount(min);
        maxShards = Sharding.checkCount(max);
        return self();
    }

    /** Sets when shards are created. Default {@link Seeding#AT_CREATION}. */
    public FirestoreCounterOptions.Builder seeding(Seeding seeding) {
        this.seeding = Objects.requireNonNull(seeding, "seeding");
        return self();
    }

    /** Sets how an add changes its shard. Default {@link WriteStrategy#INCREMENT}. */
    public FirestoreCounterOptions.Builder writeStrategy(WriteStrategy writeStrategy) {
        this.writeStrategy = Objects.requireNonNull(writeStrategy, "writeStrategy");
        return self();
    }

    /**
     * Sets the most commits of adds in flight at once, 1 to 100. Default 4. Further adds wait and are merged. {@link
     * WriteStrategy#TRANSACTION} always has one.
     */
    public FirestoreCounterOptions.Builder commitsInFlight(int commits) {
        if (commits < 1 || commits > 100) {
            throw new IllegalArgumentException(
                    "commits in flight " + commits + ": use 1 to 100, the capacity of one channel of the client");
        }
        commitsInFlight = commits;
        return self();
    }

    /**
     * Limits how often a process writes to one shard. Further adds wait, up to the bound of the queue, and are
     * merged, so commits slow down. Default 1 per second with a burst of 10, a cautious reading of what one document
     * sustains; with an emulator there is no limit by default.
     *
     * @param perSecond the sustained writes per second, more than zero; {@code Double.POSITIVE_INFINITY} for no limit
     * @param burst the most writes at once, 1 or more
     */
    public FirestoreCounterOptions.Builder writesPerShard(double perSecond, int burst) {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException("writes per shard " + perSecond + " a second: use more than zero");
        }
        if (burst < 1) {
            throw new IllegalArgumentException("burst of " + burst + " writes: use 1 or more");
        }
        writesPerShard = perSecond;
        writeBurst = burst;
        return self();
    }
}
