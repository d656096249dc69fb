package io.counterkit.internal.follow;

import static java.util.Objects.requireNonNull;

import io.counterkit.AsyncSequence;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The open followers of a {@link io.counterkit.Counters}. */
public final class Followers {
    private final SequenceStore store;
    private final Timers timers;
    private final ThreadFactory threads;
    private final Duration patience;
    private final Set<PollingFollower> open = new LinkedHashSet<>();
    private boolean closed;

    /**
     * @param store reports new entries, if it can
     * @param timers measures the pauses of the followers
     * @param threads creates a thread for each of them
     * @param patience how long close waits for a consumer
     */
    public Followers(SequenceStore store, Timers timers, ThreadFactory threads, Duration patience) {
        this.store = store;
        this.timers = timers;
        this.threads = threads;
        this.patience = patience;
    }

    /** Opens a follower from number {@code from} on. */
    public Follower open(AsyncSequence sequence, long from, FollowOptions options, Consumer<? super Entry> consumer) {
        if (from < 1) {
            throw new IllegalArgumentException("number " + from + ": numbers start at 1");
        }
        return open(sequence, from, null, options, consumer);
    }

    /** Opens a follower from a checkpoint on. */
    public Follower open(
            AsyncSequence sequence, Counter checkpoint, FollowOptions options, Consumer<? super Entry> consumer) {
        return open(sequence, 1, new Checkpoint(requireNonNull(checkpoint, "checkpoint")), options, consumer);
    }

    private Follower open(
            AsyncSequence sequence,
            long from,
            @Nullable Checkpoint checkpoint,
            FollowOptions options,
            Consumer<? super Entry> consumer) {
        requireNonNull(consumer, "consumer");
        PollingFollower follower = new PollingFollower(
                sequence,
                new TailReads(store, sequence.name(), options.cadence()),
                from,
                checkpoint,
                options,
                consumer,
                timers,
                patience);
        Thread thread = threads.newThread(follower);
        add(follower);
        CompletableFuture<?> unused = follower.ended().thenRun(() -> remove(follower));
        try {
            thread.start();
        } catch (RuntimeException | Error e) {
            remove(follower);
            throw e;
        }
        return follower;
    }

    private synchronized void add(PollingFollower follower) {
        if (closed) {
            throw new IllegalStateException("these counters are closed");
        }
        open.add(follower);
    }

    private synchronized void remove(PollingFollower follower) {
        open.remove(follower);
    }

    /** Closes all followers. Waits for all consumers together, no longer than for one. */
    public void close() {
        List<PollingFollower> last;
        synchronized (this) {
            closed = true;
            last = List.copyOf(open);
        }
        last.forEach(PollingFollower::end);
        long end = System.nanoTime() + patience.toNanos();
        last.forEach(follower -> follower.await(end - System.nanoTime()));
    }
}
