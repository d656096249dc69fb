package io.counterkit;

import io.counterkit.internal.watch.ThrottledWatch;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A named, durable and exact total. Any number of threads and processes add to it, and each add is applied exactly
 * once.
 *
 * <p>A counter is absent and reads 0 until the first add. From then on it is present, even when its total is 0. Adds
 * are commutative and do not return the total. A handle has no state and is cheap to create; all handles with the same
 * name are the same counter.
 *
 * <p>Methods block until the store answers or {@link CountersOptions#deadline()} has passed. If the thread is
 * interrupted, they restore its interrupt flag and fail as they do at the deadline. On a backend that runs on its
 * callers' threads, a caller that sends the requests of others may return up to one deadline later. After {@link
 * Counters#close()} all methods throw {@link IllegalStateException}. Do not call them on a thread that completes
 * futures of this library: use {@link #async()} there. Thread-safe.
 */
public interface Counter {
    /** Returns the counter's name. */
    String name();

    /** Adds 1; see {@link #add(long)}. */
    default void increment() {
        add(1);
    }

    /**
     * Adds {@code delta} exactly once.
     *
     * @param delta the number to add, within ±2<sup>53</sup>; may be negative or 0
     * @throws IllegalArgumentException if {@code delta} is out of range; nothing was applied
     * @throws NotAppliedException if the store refused the add or could not be reached; nothing was applied. Subclasses
     *     give the reason: {@link ContentionException}, {@link QueueFullException}, {@link SealedException}
     * @throws OutcomeUnknownException if the add may have been applied; resolve its token to find out
     */
    void add(long delta);

    /**
     * Adds {@code delta} unless an add with this token was applied before, by any process. Throws the exceptions of
     * {@link #add(long)}. They state the outcome of this call only: if the outcome of an earlier call with the same
     * token is unknown, it is still unknown after a {@link NotAppliedException}.
     *
     * @throws TokenRefusedException if the token was used for another delta, counter or operation, or was resolved as
     *     not applied; nothing was applied by this call
     * @throws IllegalArgumentException also if the token starts like one that CounterKit generates, but is not one
     */
    void add(long delta, IdempotencyToken token);

    /**
     * Returns the total, 0 if the counter is absent. The read is strong: it sees every add that was acknowledged before
     * this call.
     *
     * @throws CounterOverflowException if the total is outside ±2<sup>62</sup>
     * @throws CorruptDataException if the stored data is not a counter
     * @throws NotAppliedException if the store could not be read in time
     */
    default long get() {
        return read(Duration.ZERO).value();
    }

    /**
     * Returns the total as it was at most {@code maxStaleness} ago. It may not include the caller's own adds. The
     * longer the staleness, the cheaper the read may be; zero means a strong read.
     *
     * @throws IllegalArgumentException if {@code maxStaleness} is negative
     * @throws CounterException as {@link #get()}
     */
    Reading read(Duration maxStaleness);

    /**
     * Sets the total to 0 atomically: each concurrent add is either part of the old total or of the new one. An absent
     * counter stays absent. Also repairs a total that is out of range. To move a total to another counter, do not reset
     * this one: read the total with {@link #get()}, and subtract it with {@link #add(long, IdempotencyToken)}.
     *
     * @throws NotAppliedException if nothing was changed, for example {@link SealedException}
     * @throws OutcomeUnknownException if the reset may have been applied; {@linkplain Counters#resolve resolve} its
     *     token to find out
     */
    void reset();

    /**
     * Makes the counter absent atomically. A later add starts from 0. The tokens of earlier adds are still remembered.
     *
     * @throws NotAppliedException if nothing was changed, for example {@link SealedException}
     * @throws OutcomeUnknownException if the deletion may have been applied; {@linkplain Counters#resolve resolve} its
     *     token to find out
     */
    void delete();

    /**
     * Seals this counter permanently: its total is final and can still be read, and every later add, reset and delete
     * throws {@link SealedException}. Sealing again with the same address returns the same seal.
     *
     * @param forward the address where the counter continues, in a form that the application chooses; 1 to 512 UTF-8
     *     bytes without control characters or lone surrogates
     * @throws IllegalArgumentException if {@code forward} is not valid; nothing was applied
     * @throws SealedException if the counter was sealed with another address
     * @throws UnsupportedOperationException if the backend cannot seal counters
     * @throws NotAppliedException if nothing was changed
     * @throws OutcomeUnknownException if the seal may have been applied; seal again to find out
     */
    Seal seal(String forward);

    /** Watches the total and logs failures; see {@link #watch(Duration, Consumer, Consumer)}. */
    default Watch watch(Duration cadence, Consumer<? super Reading> readings) {
        return watch(cadence, readings, ThrottledWatch.logFailuresOf(name()));
    }

    /**
     * Watches the total until the watch or the {@link Counters} are closed. {@code readings} receives the first reading
     * soon, and then each change by any process: usually within two cadences, and at most once per cadence. If the
     * total changes several times within a cadence, it receives only the newest total. It never receives the same total
     * twice in a row. An absent counter reads 0. Readings never go back in time. {@link Reading#staleness()} is the
     * maximum age of a reading; {@link Watch#latest()} returns the newest reading, even if the total has not changed.
     *
     * <p>Does not block. While the counter cannot be read, {@code failures} receives the reason at growing intervals,
     * and the watch continues.
     *
     * <p>Both consumers are called on one thread that all watches of these {@link Counters} share, never concurrently,
     * so a slow consumer delays all. They may close their watch. Exceptions thrown by a consumer are logged and
     * otherwise ignored. {@link CountersOptions#backgroundThreads()} creates the thread, by default a daemon thread,
     * while a watch is open.
     *
     * <p>Each watch costs one {@linkplain #read(Duration) read} per cadence, unless the backend documents a cheaper
     * way. If the backend reports changes, a change is read and delivered immediately, unless another total was
     * delivered within the cadence; this takes at most one further read per cadence. A backend that runs on its
     * callers' threads, such as App Engine's Datastore, reads on the shared thread: {@link
     * CountersOptions.Builder#backgroundThreads} must then create a thread that may call the store.
     *
     * @param cadence 1 ms to 1 day
     * @throws IllegalArgumentException if {@code cadence} is out of range
     */
    Watch watch(Duration cadence, Consumer<? super Reading> readings, Consumer<? super CounterException> failures);

    /** Returns the non-blocking form of this counter. */
    AsyncCounter async();
}
