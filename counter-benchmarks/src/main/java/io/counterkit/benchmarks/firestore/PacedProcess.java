package io.counterkit.benchmarks.firestore;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Starts operations at fixed moments, whether or not earlier ones have been answered. The time of each is measured
 * from the moment when it was due: if the sender or the store stalls, the operations that were due in the meantime
 * have waited too.
 */
final class PacedProcess {
    /** Digits of the histograms: an error of a thousandth. */
    private static final int DIGITS = 3;

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final LongSupplier nanos;
    private final LongConsumer sleep;
    private final Supplier<? extends CompletableFuture<?>> operation;
    private final Histogram times = new ConcurrentHistogram(DIGITS);
    private final Histogram delays = new ConcurrentHistogram(DIGITS);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final LongAdder failures = new LongAdder();

    /** Creates a process with the clock of this JVM. */
    PacedProcess(Supplier<? extends CompletableFuture<?>> operation) {
        this(operation, System::nanoTime, LockSupport::parkNanos);
    }

    /**
     * Creates a process.
     *
     * @param sleep waits for so many nanoseconds of the clock, or less
     */
    PacedProcess(Supplier<? extends CompletableFuture<?>> operation, LongSupplier nanos, LongConsumer sleep) {
        this.operation = operation;
        this.nanos = nanos;
        this.sleep = sleep;
    }

    /**
     * Starts operations as {@link #start} does, and waits until all are answered.
     *
     * @throws IllegalStateException if one is not answered within minutes
     */
    void run(int count, long firstDue, double intervalNanos) throws InterruptedException {
        if (!start(count, firstDue, intervalNanos).await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "an operation was not answered for " + PATIENCE.toSeconds() + " s: use a lower rate");
        }
    }

    /**
     * Starts operations and returns a latch that is open when all are answered.
     *
     * @param firstDue when the first is due, by the clock
     * @param intervalNanos the time from one to the next
     */
    CountDownLatch start(int count, long firstDue, double intervalNanos) {
        CountDownLatch pending = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            long due = firstDue + (long) (i * intervalNanos);
            long now = nanos.getAsLong();
            while (now < due) {
                sleep.accept(due - now);
                now = nanos.getAsLong();
            }
            delays.recordValue(now - due);
            CompletableFuture<?> unused = operation.get().whenComplete((value, failed) -> {
                times.recordValue(Math.max(0, nanos.getAsLong() - due));
                if (failed != null) {
                    failure.compareAndSet(null, failed);
                    failures.increment();
                }
                pending.countDown();
            });
        }
        return pending;
    }

    /** Returns the nanoseconds of each answered operation, from the moment when it was due. */
    Histogram times() {
        return times;
    }

    /** Returns by how many nanoseconds each operation was started late. */
    Histogram delays() {
        return delays;
    }

    /** Returns how many operations failed. Their times are those until they failed. */
    long failures() {
        return failures.sum();
    }

    /** Returns the first failure; null if none failed. */
    @Nullable Throwable failure() {
        return failure.get();
    }

    /** Returns what was measured as a line for {@link OpenLoopPoint}: failures, times and delays. */
    String result() {
        return String.join(" ", "" + failures(), encode(times), encode(delays));
    }

    private static String encode(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }
}
