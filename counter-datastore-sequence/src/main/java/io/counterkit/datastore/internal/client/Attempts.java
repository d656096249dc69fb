package io.counterkit.datastore.internal.client;

import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.spi.Call;
import io.counterkit.spi.Reasons;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** How often one operation is tried: until its time is over, its thread is interrupted, or it was tried often enough. */
final class Attempts {
    private final DatastoreSequenceOptions options;
    private final String name;
    private final Call call;
    private int made;
    private long began;
    private @Nullable RuntimeException last;
    private String end = "";

    Attempts(DatastoreSequenceOptions options, String name, Call call) {
        this.options = options;
        this.name = name;
        this.call = call;
    }

    /** Whether there is time for one more. */
    boolean another() {
        if (Thread.currentThread().isInterrupted()) {
            end = "the thread was interrupted";
        } else if (made >= options.maxAttempts()) {
            end = "it was tried " + made + " times";
        } else if (call.remaining().isNegative() || call.remaining().isZero()) {
            end = "the deadline passed";
        } else {
            made++;
            began = System.nanoTime();
            return true;
        }
        return false;
    }

    /** Reports a failed one, and waits so that whoever was in the way can get done; only a little if it {@code isHasty}. */
    void failed(RuntimeException error, boolean isHasty) {
        last = error;
        boolean isContention = DatastoreErrors.of(error) == DatastoreErrors.CONTENTION;
        if (isContention) {
            call.reportConflict(List.of(name));
        } else {
            call.reportRetry(error);
        }
        Duration left = call.remaining();
        long took = System.nanoTime() - began;
        long pause = options.firstPause().toNanos() << Math.min(made - 1, 20);
        pause = pause <= 0
                ? options.longestPause().toNanos()
                : Math.min(pause, options.longestPause().toNanos());
        if (isContention
                && !isHasty) { // where a store locks, this took as long as a lock is waited for, and would again
            pause = Math.max(pause, Math.min(took, left.toNanos() / 4));
        }
        pause -= options.random().nextLong(pause / 2 + 1);
        LockSupport.parkNanos(Math.min(pause, Math.max(0, left.toNanos())));
    }

    /** Why there is not another one, for messages. */
    String end() {
        return end + (last == null ? "" : " (" + Reasons.of(last) + ")");
    }

    @Nullable RuntimeException last() {
        return last;
    }
}
