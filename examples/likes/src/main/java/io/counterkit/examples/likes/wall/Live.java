package io.counterkit.examples.likes.wall;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Tail;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What everybody who looks is shown: totals as the store's watches tell them, and the end of the order book, which one
 * thread reads for all. Rests while nobody looks. Thread-safe.
 */
public final class Live implements AutoCloseable {
    /** The book cannot be watched, and changes by the hand of a person. */
    private static final int CADENCES_PER_READ_OF_THE_BOOK = 4;

    private final Totals totals;
    private final Orders orders;
    private final Commits commits;
    private final Duration cadence;
    private final Thread reader = new Thread(this::readAlong, "live");

    private long version;
    private @Nullable Tail tail;
    private @Nullable Instant troubleSince;
    private String trouble = "";
    private int viewers;
    private boolean nudged;
    private boolean doubted;
    private boolean closed;

    /** Shows the totals of these posts, usually within a {@code cadence} or two. */
    public Live(Counters counters, Orders orders, Commits commits, List<Post> posts, Duration cadence) {
        this.totals = new Totals(counters, posts);
        this.orders = orders;
        this.commits = commits;
        this.cadence = cadence;
        reader.setDaemon(true);
        reader.start();
    }

    /** What is known after a strong read now; without one while the store is in trouble, so as not to wait for it. */
    public Snapshot fresh() {
        if (latest().troubleSince() == null) {
            read(true);
        } else {
            nudge();
        }
        return latest();
    }

    /** What is known now. */
    public synchronized Snapshot latest() {
        return new Snapshot(version, totals.known(), tail, commits.figures(), troubleSince, trouble);
    }

    /** Has the order book read at once, since it has changed. */
    public synchronized void nudge() {
        nudged = true;
        notifyAll();
    }

    /** From now on somebody looks, until the {@link #leave()}. */
    public synchronized void enter() {
        if (viewers++ == 0) {
            totals.watch(cadence, this::changed, failure -> doubt());
        }
        notifyAll();
    }

    /** Somebody looks no more. */
    public synchronized void leave() {
        if (--viewers == 0) {
            totals.unwatch();
        }
    }

    /** Returns what is known once it is newer than {@code version}, or when the time has passed. */
    public synchronized Snapshot after(long version, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        for (long left = atMost.toNanos();
                this.version <= version && left > 0 && !closed;
                left = end - System.nanoTime()) {
            wait(left / 1_000_000 + 1);
        }
        return latest();
    }

    private synchronized void changed() {
        version++;
        notifyAll();
    }

    /** A watch could not read its counter and goes on; whether the store is in trouble, a read of all will tell. */
    private synchronized void doubt() {
        doubted = true;
        nudge();
    }

    private void readAlong() {
        try {
            while (awaitTurn()) {
                read(isInDoubt());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns when it is time to read; false if there is nothing more to read. */
    private synchronized boolean awaitTurn() throws InterruptedException {
        long end = System.nanoTime()
                + cadence.multipliedBy(CADENCES_PER_READ_OF_THE_BOOK).toNanos();
        while (!closed && !nudged && (viewers == 0 || System.nanoTime() - end < 0)) {
            wait(viewers == 0 ? 0 : Math.max(1, (end - System.nanoTime()) / 1_000_000));
        }
        nudged = false;
        return !closed;
    }

    private synchronized boolean isInDoubt() {
        boolean is = doubted || troubleSince != null;
        doubted = false;
        return is;
    }

    /** Also when nothing comes of it, whoever looks is told: how old everything is by now. */
    private void read(boolean withTotals) {
        try {
            if (withTotals) {
                totals.read();
            }
            succeeded(orders.tail());
        } catch (CounterException e) {
            failed(e);
        }
        changed();
    }

    private synchronized void succeeded(Tail read) {
        // Another thread may have read meanwhile, and more.
        tail = tail != null && tail.last() > read.last() ? tail : read;
        troubleSince = null;
        trouble = "";
    }

    private synchronized void failed(CounterException e) {
        troubleSince = troubleSince == null ? Instant.now() : troubleSince;
        trouble = String.valueOf(e.getMessage());
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        reader.interrupt();
    }
}
