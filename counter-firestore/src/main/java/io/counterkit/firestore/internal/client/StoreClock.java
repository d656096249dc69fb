package io.counterkit.firestore.internal.client;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.AggregateQuerySnapshot;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.common.util.concurrent.MoreExecutors;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An estimate of the store's clock. The store shows its time only in answers. The time of an answer is not before its
 * request, and from there both clocks run at the same pace. Only the progress of this machine's clock matters, not the
 * time that it shows. Thread-safe.
 */
public final class StoreClock {
    private final InstantSource machine;
    private volatile @Nullable TimedAnswer latest;

    public StoreClock(InstantSource machine) {
        this.machine = machine;
    }

    /**
     * The time of an answer by the store's clock, and of its request by {@code System.nanoTime} and the machine's
     * clock.
     */
    private record TimedAnswer(Instant at, long asked, Instant askedByMachine) {}

    /** Sends a read and records the time of its answer. */
    public <T> ApiFuture<T> timed(Supplier<ApiFuture<T>> read) {
        long asked = System.nanoTime();
        return ApiFutures.transform(
                read.get(),
                answer -> {
                    noteAnswer(answer, asked);
                    return answer;
                },
                MoreExecutors.directExecutor());
    }

    /**
     * Records the time of an answer to a read; ignores other answers. The result of a write does not show the time: a
     * write that changes nothing returns the time of an earlier one.
     */
    void noteAnswer(@Nullable Object answer, long asked) {
        Object one = answer instanceof List<?> list && !list.isEmpty() ? list.get(0) : answer;
        Timestamp at = null;
        if (one instanceof DocumentSnapshot document) {
            at = document.getReadTime();
        } else if (one instanceof QuerySnapshot found) {
            at = found.getReadTime();
        } else if (one instanceof AggregateQuerySnapshot sum) {
            at = sum.getReadTime();
        }
        if (at != null) {
            note(toInstant(at), asked);
        }
    }

    /**
     * Records an answer that the store gave at {@code at} to a request that was sent at {@code asked} by {@link
     * System#nanoTime()}.
     */
    void note(Instant at, long asked) {
        latest = new TimedAnswer(at, asked, machine.instant().minusNanos(System.nanoTime() - asked));
    }

    /**
     * Returns the current time of the store's clock, or a slightly later time; null before the first answer. {@link
     * System#nanoTime()} may stop while a machine sleeps, and the machine's clock may be set back, so the one that has
     * moved farther since the last answer is used.
     */
    @Nullable public Instant now() {
        TimedAnswer answer = latest;
        if (answer == null) {
            return null;
        }
        Duration passed = Duration.ofNanos(System.nanoTime() - answer.asked());
        Duration passedByMachine = Duration.between(answer.askedByMachine(), machine.instant());
        return answer.at().plus(passed.compareTo(passedByMachine) > 0 ? passed : passedByMachine);
    }

    /**
     * Converts a moment of the store's clock to {@link System#nanoTime()}, or to an earlier value; returns null before
     * the first answer. Limits moments of centuries ago to the range of that scale.
     */
    @Nullable public Long nanosOf(Instant moment) {
        TimedAnswer answer = latest;
        if (answer == null) {
            return null;
        }
        Duration since = Duration.between(moment, answer.at());
        long nanos = since.abs().toDays() < 36_500 ? since.toNanos() : Long.MAX_VALUE / 4;
        return Math.min(answer.asked() - nanos, System.nanoTime());
    }

    /** Returns a time of the store in full precision. */
    public static Instant toInstant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }
}
