package io.counterkit.firestore;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the options of shards and writes, with their defaults. Each method checks its value. */
abstract class ShardingBuilder extends LayoutBuilder {
    private @Nullable Integer shards;
    private int minShards;
    private int maxShards;
    private Seeding seeding = Seeding.AT_CREATION;
    private WriteStrategy writeStrategy = WriteStrategy.INCREMENT;
    private int commitsInFlight = 2;
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
     * {@link #shards}; by default with 10, or with {@code min} or {@code max} if 10 is out of range.
     *
     * <p>Each process decides separately, from its own adds. It raises a shard count in three cases, after at least a
     * minute: if its commits exceeded the rate of {@link #writesPerShard} (1 a second for each shard if there is no
     * limit), if one commit in twenty waited for the lock of another writer, or if commits waited 50 ms on average for
     * a shard. The new count is at least {@code min}; a counter with fewer shards keeps them until then. The process
     * lowers a shard count after at least an hour in which a quarter of the shards would have been enough, if the last
     * writes of all processes show the same. A process changes a count only if the store still has it, and observes a
     * new count for the same time again. So a shard count is raised at most about once a minute, however many processes
     * add. Another process reads the new count when it tries to change the old one; adds with an old count are not
     * lost, as with {@code reshard}.
     *
     * <p>Observing the load does not access the store, and a counter without adds is not observed. Raising costs as
     * much as {@code reshard}, or one read if another process has raised the count already. Lowering also costs a read
     * for each shard, at most once an hour in each process. The change runs in the background. If it fails, either the
     * shard count is unchanged and a later check decides again, or the count is lowered and surplus shards keep a part
     * of the total, which every read includes. The next check of this process moves that part. If the process has
     * ended, the part stays there until the count is lowered again or {@code reshard} sets it.
     *
     * @param min the minimum shard count, 1 or more
     * @param max the maximum shard count, more than {@code min} and at most 1,000
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
     * Sets the maximum number of commits of adds in flight at once, 1 to 100. Default 2. Further adds wait and are
     * merged, so fewer commits carry more adds and cost less for each; more commits shorten the wait of an add that
     * arrives while others are in flight. {@link WriteStrategy#TRANSACTION} always has one.
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
     * Limits how often a process writes to one shard. Further adds wait, up to the bound of the queue, and are merged,
     * so commits slow down. Default 1 per second with a burst of 10, a cautious estimate of the rate that one document
     * sustains; with an emulator there is no limit by default.
     *
     * @param perSecond the sustained writes per second, more than zero; {@code Double.POSITIVE_INFINITY} for no limit
     * @param burst the maximum number of writes at once, 1 or more
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
