package io.counterkit.examples.likes.wall;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.Tail;
import io.counterkit.spi.Capability;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest totals for everybody who looks: one reader for all, which rests while nobody does. Thread-safe.
 */
public final class Live implements AutoCloseable {
    /** Each strong; the book changes by the hand of a person. */
    private static final int READS_OF_TOTALS_PER_READ_OF_ORDERS = 4;

    private final Counters counters;
    private final Orders orders;
    private final Commits commits;
    private final List<Post> posts;
    private final Duration cadence;
    private final Thread reader = new Thread(this::readAlong, "live totals");

    private Snapshot latest = Snapshot.NOTHING;
    private int viewers;
    private boolean nudged;
    private boolean closed;
    private int reads;

    /** Totals of these posts, which are at most {@code cadence} old when they are read, and read that often. */
    public Live(Counters counters, Orders orders, Commits commits, List<Post> posts, Duration cadence) {
        this.counters = counters;
        this.orders = orders;
        this.commits = commits;
        this.posts = List.copyOf(posts);
        this.cadence = cadence;
        reader.setDaemon(true);
        reader.start();
    }

    /** What is known after one strong read now; without one while the store is in trouble, so as not to wait for it. */
    public Snapshot fresh() {
        if (latest().troubleSince() == null) {
            publish(true);
        } else {
            nudge();
        }
        return latest();
    }

    /** What is known. */
    public synchronized Snapshot latest() {
        return latest;
    }

    /** Has everything read soon, since it has changed. */
    public synchronized void nudge() {
        nudged = true;
        notifyAll();
    }

    /** From now on somebody looks, until the {@link #leave()}. */
    public synchronized void enter() {
        viewers++;
        notifyAll();
    }

    /** Somebody looks no more. */
    public synchronized void leave() {
        viewers--;
    }

    /** Returns what is known once it is newer than {@code version}, or when the time has passed. */
    public synchronized Snapshot after(long version, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        long left = atMost.toNanos();
        while (latest.version() <= version && left > 0 && !closed) {
            wait(left / 1_000_000 + 1);
            left = end - System.nanoTime();
        }
        return latest;
    }

    private void readAlong() {
        try {
            while (awaitTurn()) {
                publish(false);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns when it is time to read; false if there is nothing more to read. */
    private synchronized boolean awaitTurn() throws InterruptedException {
        long end = System.nanoTime() + cadence.toNanos();
        while (!closed && !nudged && (viewers == 0 || System.nanoTime() - end < 0)) {
            if (viewers == 0) {
                wait();
            } else {
                wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            }
        }
        return !closed;
    }

    private void publish(boolean all) {
        Snapshot before;
        boolean withOrders;
        Duration staleness;
        synchronized (this) {
            before = latest;
            withOrders = all || nudged || reads % READS_OF_TOTALS_PER_READ_OF_ORDERS == 0;
            staleness = all || nudged ? Duration.ZERO : cadence;
            nudged = false;
            reads++;
        }
        Snapshot read = read(before, staleness, withOrders);
        synchronized (this) {
            // Another thread may have read meanwhile, and something newer: no total goes back in time here.
            Map<String, Total> totals = new HashMap<>(latest.totals());
            read.totals().forEach((id, total) -> totals.merge(id, total, Total::newer));
            latest = new Snapshot(
                    latest.version() + 1,
                    totals,
                    read.top(),
                    newer(latest.orders(), read.orders()),
                    read.commits(),
                    read.troubleSince(),
                    read.trouble());
            notifyAll();
        }
    }

    private static @Nullable Tail newer(@Nullable Tail known, @Nullable Tail read) {
        return known != null && (read == null || known.last() > read.last()) ? known : read;
    }

    /** What can be read now, and what was known before of all that cannot. */
    private Snapshot read(Snapshot before, Duration staleness, boolean withOrders) {
        Map<String, Total> totals = new HashMap<>(before.totals());
        Tail tail = before.orders();
        Instant troubleSince = null;
        String trouble = "";
        try {
            Readings readings =
                    counters.readAll(posts.stream().map(Post::counter).toList(), staleness);
            readings.values().keySet().forEach(name -> totals.put(Post.idOf(name), total(readings.get(name))));
            if (!readings.failures().isEmpty()) {
                throw readings.failures().values().iterator().next();
            }
            if (withOrders || before.troubleSince() != null) {
                tail = orders.tail();
            }
        } catch (CounterException e) {
            troubleSince = before.troubleSince() == null ? Instant.now() : before.troubleSince();
            trouble = String.valueOf(e.getMessage());
        }
        return new Snapshot(0, totals, top(totals), tail, commits.figures(), troubleSince, trouble);
    }

    private static Total total(Reading reading) {
        return new Total(reading, System.nanoTime());
    }

    /** The store's own list where it has one, which would also find posts that are not on this wall. */
    private List<String> top(Map<String, Total> totals) {
        List<String> listed = topOfStore();
        return listed != null
                ? listed
                : totals.entrySet().stream()
                        .sorted(Comparator.comparing((Map.Entry<String, Total> total) ->
                                        total.getValue().reading().value())
                                .reversed()
                                .thenComparing(Map.Entry::getKey))
                        .map(Map.Entry::getKey)
                        .toList();
    }

    private @Nullable List<String> topOfStore() {
        if (!counters.capabilities().contains(Capability.TOP)) {
            return null;
        }
        try {
            return counters.top(Post.PREFIX, 100).stream()
                    .map(NamedReading::name)
                    .filter(Post::isCounter)
                    .map(Post::idOf)
                    .toList();
        } catch (CounterException e) {
            return null; // the totals that are known do as well
        }
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
