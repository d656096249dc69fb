package io.counterkit.cli.ingest;

import io.counterkit.IdempotencyToken;
import io.counterkit.spi.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Adds lines in parts. The lines of a part with one name are one add, whose token is derived from the run, the part
 * and the position in the part. An add that fails is repeated with its token. The end of a part of a file is written
 * to disk before the part is sent, so that a later run repeats the same adds with the same tokens. Used by one thread,
 * except for {@link #pending}.
 */
final class Parts {
    /** Some ten thousand lines: a few milliseconds of work that a run may repeat. */
    private static final long PART_BYTES = 4L << 20;

    /** The longest time that a line waits for others, as in a slow pipe. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int ATTEMPTS = 10;
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(5), Duration.ofSeconds(1));

    private final @Nullable PositionFile file;
    private final int limit;
    private final Semaphore room;
    private final Runnable whileWaiting;
    private final List<PendingAdd> adds = new ArrayList<>();
    private final AtomicInteger pending = new AtomicInteger();
    private Position position;
    private long retries;
    private long endedAt = System.nanoTime();

    /**
     * @param file where the position is written; null for nowhere
     * @param limit the maximum number of adds that were sent and have no reply
     * @param whileWaiting called repeatedly while this waits
     */
    Parts(@Nullable PositionFile file, Position position, int limit, Runnable whileWaiting) {
        this.file = file;
        this.position = position;
        this.limit = limit;
        this.room = new Semaphore(limit);
        this.whileWaiting = whileWaiting;
    }

    /** Adds a line to the part. */
    void add(Tally tally, long delta) {
        PendingAdd add = tally.inPart;
        if (add == null || !add.hasRoomFor(delta)) {
            add = new PendingAdd(
                    tally,
                    IdempotencyToken.of(String.format(
                            Locale.ROOT, "ingest/%s/%08d/%08d", position.run(), position.part(), adds.size())));
            adds.add(add);
            pending.incrementAndGet();
            tally.inPart = add;
        }
        add.addLine(delta);
    }

    /** Returns whether to send the part now, if it ends at {@code end}. */
    boolean isDue(Position.Mark end) {
        return end.bytes() - position.done().bytes() >= PART_BYTES
                || (!adds.isEmpty() && System.nanoTime() - endedAt >= LONGEST_NANOS);
    }

    /** Sends the part and waits for its outcome. Returns false if it is not final, and a later run can repeat it. */
    boolean trySend(Position.Mark end) throws IOException, InterruptedException {
        if (!position.sent().equals(end)) {
            write(position.sending(end));
        }
        boolean isDecided = send();
        if (isDecided || file == null) {
            write(position.counted());
            endedAt = System.nanoTime();
            return true;
        }
        return false;
    }

    private void write(Position next) throws IOException {
        position = next;
        if (file != null) {
            file.write(next);
        }
    }

    private boolean send() throws InterruptedException {
        List<PendingAdd> left = adds;
        for (int attempt = 1; attempt <= ATTEMPTS && !left.isEmpty(); attempt++) {
            if (attempt > 1) {
                retries += left.size();
                TimeUnit.NANOSECONDS.sleep(BACKOFF.nanos(attempt - 1));
            }
            left = send(left);
        }
        boolean isDecided = left.isEmpty();
        adds.forEach(PendingAdd::end);
        adds.clear();
        pending.set(0);
        return isDecided;
    }

    /** Sends adds, waits for the replies, and returns those without a final outcome. */
    private List<PendingAdd> send(List<PendingAdd> some) throws InterruptedException {
        for (PendingAdd add : some) {
            acquire(1);
            add.send(() -> {
                if (add.isDecided()) {
                    pending.decrementAndGet();
                }
                room.release();
            });
        }
        acquire(limit);
        room.release(limit);
        return some.stream().filter(add -> !add.isDecided()).toList();
    }

    private void acquire(int permits) throws InterruptedException {
        while (!room.tryAcquire(permits, TICK_NANOS, TimeUnit.NANOSECONDS)) {
            whileWaiting.run();
        }
    }

    /** Returns the number of adds of the part without a final outcome. Thread-safe. */
    int pending() {
        return pending.get();
    }

    /** Returns the number of bytes that are counted. Estimates those of the part that is being sent from its adds. */
    double countedBytes() {
        Position.Mark done = position.done();
        return done.bytes()
                + (position.sent().bytes() - done.bytes()) * (1 - (double) pending.get() / Math.max(1, adds.size()));
    }

    /** Returns the number of times that an add was sent again. */
    long retries() {
        return retries;
    }
}
