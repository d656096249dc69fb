package io.counterkit.internal.follow;

import io.counterkit.AsyncSequence;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows a sequence on its own thread. Reads the tail when {@link TailReads} says so, then a page of the entries after
 * the position, and passes the entries to the consumer one by one. A call that returns moves the position. After any
 * failure the follower reads again from its position.
 */
final class PollingFollower implements Follower, Runnable {
    private static final System.Logger LOG = System.getLogger(Sequence.class.getName());
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(100), Duration.ofSeconds(10));

    private final AsyncSequence sequence;
    private final TailReads reads;
    private final @Nullable Checkpoint checkpoint;
    private final long cadence;
    private final Consumer<? super Throwable> failures;
    private final Consumer<? super Entry> consumer;
    private final Timers timers;
    private final Duration patience;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private volatile long position;
    private volatile @Nullable Thread thread;
    private boolean isStarted;
    private long last;
    private int failed;
    private int failedStores;
    private long nextStore = System.nanoTime();

    /**
     * @param reads closed with the follower
     * @param from the number of the first entry; ignored if there is a checkpoint
     * @param timers measures pauses
     * @param patience how long close waits
     */
    PollingFollower(
            AsyncSequence sequence,
            TailReads reads,
            long from,
            @Nullable Checkpoint checkpoint,
            FollowOptions options,
            Consumer<? super Entry> consumer,
            Timers timers,
            Duration patience) {
        this.sequence = sequence;
        this.reads = reads;
        this.position = from - 1;
        this.checkpoint = checkpoint;
        this.cadence = options.cadence().toNanos();
        this.failures = options.failures() == null ? this::log : options.failures();
        this.consumer = consumer;
        this.timers = timers;
        this.patience = patience;
        this.isStarted = checkpoint == null;
    }

    private void log(Throwable failure) {
        LOG.log(
                System.Logger.Level.WARNING,
                "following '" + sequence.name() + "' failed after entry " + position + "; the follower tries again",
                failure);
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            while (!closed.isDone()) {
                try {
                    deliverPage();
                    if (position >= last) {
                        storeCheckpointIfDue();
                        rest();
                    }
                } catch (Throwable e) { // an Error too: the entry is not lost with it
                    if (!closed.isDone()) {
                        report(e);
                        storeCheckpointIfDue();
                        pause(BACKOFF.nanos(++failed), closed);
                    }
                }
            }
            storeCheckpoint();
        } finally {
            try {
                reads.close();
            } finally {
                ended.complete(null);
            }
        }
    }

    /** Delivers the next entries, if there are any. */
    private void deliverPage() {
        if (!isStarted && checkpoint != null) {
            position = checkpoint.read();
            isStarted = true;
        }
        if (position >= last) {
            readTail();
        }
        if (position >= last) {
            return;
        }
        long first = position + 1;
        List<Entry> page = answer(sequence.read(first, Math.min(last, position + EntryPages.SIZE)));
        if (page != null) {
            EntryPages.checkComplete(sequence.name(), page, first, last).forEach(this::deliver);
        }
    }

    private void readTail() {
        reads.begin();
        Tail tail = answer(sequence.tail());
        if (tail == null) {
            return;
        }
        if (checkpoint != null && tail.last() < position) {
            throw new CorruptDataException("the checkpoint '" + checkpoint.name() + "' is " + position + ", but '"
                    + sequence.name() + "' has only " + tail.last()
                    + " entries: use a counter that only followers of this sequence change");
        }
        last = Math.max(last, tail.last());
        failed = 0;
    }

    /** Calls the consumer, unless the follower is closed. */
    private void deliver(Entry entry) {
        if (closed.isDone()) {
            return;
        }
        try {
            consumer.accept(entry);
        } finally {
            boolean unused = Thread.interrupted(); // a flag that the consumer left must not end the next read
        }
        position = entry.number();
        failed = 0;
        storeCheckpointIfDue();
    }

    private void storeCheckpointIfDue() {
        if (System.nanoTime() - nextStore >= 0) {
            storeCheckpoint();
        }
    }

    /** Stores the checkpoint. If that fails, the follower reports it, continues, and stores a later position. */
    private void storeCheckpoint() {
        if (checkpoint == null || !isStarted) {
            return;
        }
        try {
            checkpoint.store(position);
            failedStores = 0;
        } catch (Throwable e) { // an Error too: the follower continues
            failedStores++;
            report(e);
        }
        nextStore = System.nanoTime() + Math.max(cadence, failedStores == 0 ? 0 : BACKOFF.nanos(failedStores));
    }

    private void report(Throwable failure) {
        try {
            failures.accept(failure);
        } catch (Throwable e) { // an Error too: the follower continues
            LOG.log(System.Logger.Level.WARNING, "a consumer of failures of '" + sequence.name() + "' failed", e);
        }
    }

    /** Waits until it is time to read the tail or to store the checkpoint. */
    private void rest() {
        boolean isStored = checkpoint == null || checkpoint.isStored(position);
        pause(isStored ? reads.longestPause() : cadence, reads.report());
        pause(reads.shortestPause(), closed);
    }

    /** Waits for {@code nanos}, or until {@code end} completes. */
    private void pause(long nanos, CompletableFuture<Void> end) {
        CompletableFuture<Void> over = timers.after(nanos);
        answer(CompletableFuture.anyOf(over, end));
        over.cancel(false);
    }

    /** Waits for a reply; returns null if the follower is closed first. */
    private <T> @Nullable T answer(CompletableFuture<T> reply) {
        Futures.join(CompletableFuture.anyOf(reply, closed));
        return closed.isDone() ? null : Futures.join(reply);
    }

    @Override
    public long position() {
        return position;
    }

    /** Returns a future that completes when no call of the consumer is running or will start. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Prevents further calls of the consumer. */
    void end() {
        closed.complete(null);
    }

    /** Waits until the follower has ended, at most for {@code nanos}, unless this is its own thread. */
    void await(long nanos) {
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            ended.get(Math.max(nanos, 0), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(System.Logger.Level.WARNING, "the consumer of '" + sequence.name() + "' still runs after close");
        }
    }

    @Override
    public void close() {
        end();
        await(patience.toNanos());
    }

    @Override
    public String toString() {
        return "Follower[" + sequence.name() + "]";
    }
}
