package io.counterkit.firestore.internal.client;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.AggregateQuerySnapshot;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.QuerySnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store's clock, though the store tells its time only with answers: the time of an answer was not before it was asked
 * for, and both clocks go at the same pace from there. What the clock of this machine shows does not matter, only how
 * far it moves. Thread-safe.
 */
public final class StoreClock {
    private final InstantSource machine;
    private volatile @Nullable Answer latest;

    public StoreClock() {
        this(InstantSource.system());
    }

    public StoreClock(InstantSource machine) {
        this.machine = machine;
    }

    /** An answer's time by the store's clock, and when it was asked for by ours: {@code System.nanoTime} and machine. */
    private record Answer(Instant at, long asked, Instant askedByMachine) {}

    /**
     * Takes note of what the store answers to a read, if that tells the time. The result of a write does not: its time is
     * that of an earlier one where a document stays as it is.
     */
    public void noteAnswer(@Nullable Object answer, long asked) {
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

    /** Takes note of an answer that is of this moment and was asked for then, by {@link System#nanoTime()}. */
    void note(Instant at, long asked) {
        latest = new Answer(at, asked, machine.instant().minusNanos(System.nanoTime() - asked));
    }

    /**
     * What the store's clock shows now, or a little later; null if the store has not answered yet. {@link
     * System#nanoTime()} may stand still while a machine sleeps, and its clock may be set back, so the one that has moved
     * farther since the last answer counts.
     */
    @Nullable public Instant now() {
        Answer answer = latest;
        if (answer == null) {
            return null;
        }
        Duration passed = Duration.ofNanos(System.nanoTime() - answer.asked());
        Duration passedByMachine = Duration.between(answer.askedByMachine(), machine.instant());
        return answer.at().plus(passed.compareTo(passedByMachine) > 0 ? passed : passedByMachine);
    }

    /**
     * The moment by {@link System#nanoTime()}, or one before it; null if the store has not answered yet. Moments that are
     * centuries apart have no place on that scale, and are as long ago as it goes.
     */
    @Nullable public Long nanosOf(Instant moment) {
        Answer answer = latest;
        if (answer == null) {
            return null;
        }
        Duration since = Duration.between(moment, answer.at());
        long nanos = since.abs().toDays() < 36_500 ? since.toNanos() : Long.MAX_VALUE / 4;
        return Math.min(answer.asked() - nanos, System.nanoTime());
    }

    /** Returns a time of the store in full; the times of entries are cut to milliseconds. */
    public static Instant toInstant(Timestamp time) {
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }
}
