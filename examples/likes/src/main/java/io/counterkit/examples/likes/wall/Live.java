package io.counterkit.examples.likes.wall;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Follower;
import io.counterkit.Tail;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The newest known state for all viewers: the totals, which are watched, and the order book, which is
 * followed. Reads nothing while there are no viewers. Thread-safe.
 */
public final class Live implements AutoCloseable {
    /** Orders change slowly, and so do the ages that viewers see. */
    private static final int CADENCES_PER_TICK = 4;

    private final Totals totals;
    private final Orders orders;
    private final Commits commits;
    private final Breakage breakage;
    private final int posts;
    private final Duration cadence;
    private final ScheduledExecutorService reader = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "live");
        thread.setDaemon(true);
        return thread;
    });

    private long version;
    private @Nullable Tail tail;
    private @Nullable Instant troubleSince;
    private int viewers;
    private @Nullable Future<?> ticking;
    private @Nullable Follower book;
    private boolean isReadQueued;
    private boolean isInDoubt;
    private boolean isClosed;

    /** Creates the state of these posts; changes are seen within a {@code cadence} or two. */
    public Live(
            Counters counters, Orders orders, Commits commits, Breakage breakage, List<Post> posts, Duration cadence) {
        this.totals = new Totals(counters, posts);
        this.orders = orders;
        this.commits = commits;
        this.breakage = breakage;
        this.posts = posts.size();
        this.cadence = cadence;
    }

    /** Returns the state after a strong read; while the store is in trouble, returns the last one without waiting. */
    public Snapshot fresh() {
        if (latest().troubleSince() == null) {
            read(true);
        } else {
            refresh();
        }
        return latest();
    }

    /** Returns the newest known state. */
    public synchronized Snapshot latest() {
        Map<String, Total> known = totals.known();
        breakage.note(known, posts);
        return new Snapshot(version, known, tail, commits.figures(), breakage.figures(known), troubleSince);
    }

    /** Breaks the store or repairs it, for all viewers: see {@link Breakage}. */
    public Answer breakStore(boolean isBroken) {
        breakage.turn(isBroken);
        refresh();
        return Answer.applied(0);
    }

    /** Schedules a read of the order book, which has changed. */
    public synchronized void refresh() {
        if (!isReadQueued && !isClosed) {
            isReadQueued = true;
            reader.execute(this::poll);
        }
    }

    /** Keeps the state up to date until the matching {@link #removeViewer}. */
    public synchronized void addViewer() {
        if (viewers++ == 0) {
            totals.watch(cadence, this::publish, failure -> doubt());
            Duration slow = cadence.multipliedBy(CADENCES_PER_TICK);
            book = orders.follow(slow, this::advance, failure -> doubt());
            ticking = reader.scheduleWithFixedDelay(this::tick, slow.toNanos(), slow.toNanos(), TimeUnit.NANOSECONDS);
            refresh();
        }
    }

    /** Ends what {@link #addViewer} started. */
    public synchronized void removeViewer() {
        if (--viewers == 0) {
            totals.unwatch();
            if (ticking != null) {
                ticking.cancel(false);
            }
            if (book != null && !isClosed) {
                reader.execute(book::close); // without the lock, since the last delivery may wait for it
            }
        }
    }

    /** Waits until the state is newer than {@code version}, at most this long, and returns it. */
    public synchronized Snapshot after(long version, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        for (long left = atMost.toNanos();
                this.version <= version && left > 0 && !isClosed;
                left = end - System.nanoTime()) {
            wait(left / 1_000_000 + 1);
        }
        return latest();
    }

    private synchronized void publish() {
        version++;
        notifyAll();
    }

    /**
     * Schedules a read of all totals, which shows whether the store is in trouble: a watch or the follower failed to
     * read, and continues.
     */
    private synchronized void doubt() {
        isInDoubt = true;
        refresh();
    }

    /** Publishes the current ages, and checks whether the store can be read again. */
    private void tick() {
        boolean isInTrouble;
        synchronized (this) {
            isInTrouble = troubleSince != null;
        }
        if (isInTrouble) {
            poll();
        } else {
            publish();
        }
    }

    private void poll() {
        boolean withTotals;
        synchronized (this) {
            withTotals = isInDoubt || troubleSince != null;
            isInDoubt = false;
            isReadQueued = false;
        }
        read(withTotals);
    }

    /** Publishes a new version even if nothing changed, so that viewers see the ages. */
    private void read(boolean withTotals) {
        try {
            if (withTotals) {
                totals.read();
            }
            succeed(orders.tail());
        } catch (CounterException e) {
            fail();
        }
        publish();
    }

    private synchronized void advance(Tail read) {
        // A concurrent read may have seen more.
        tail = tail != null && tail.last() > read.last() ? tail : read;
        publish();
    }

    private synchronized void succeed(Tail read) {
        advance(read);
        troubleSince = null;
    }

    private synchronized void fail() {
        troubleSince = troubleSince == null ? Instant.now() : troubleSince;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        notifyAll();
        reader.shutdownNow();
    }
}
