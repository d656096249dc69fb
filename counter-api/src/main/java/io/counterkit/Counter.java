package io.counterkit;

import io.counterkit.internal.watch.ThrottledWatch;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A durable, exact total with a name: adds from any number of threads and processes, each applied exactly once.
 *
 * <p>A counter needs no creation: it is absent and reads 0 until something is added to it, and present from then on,
 * also at 0. Adds are commutative and return no total. Handles are cheap, hold no state, and two of one name are the
 * same counter.
 *
 * <p>Methods block until the store has answered or the deadline of {@link CountersOptions#deadline()} has passed; when
 * the thread is interrupted, its interrupt flag is restored and the outcome told like at the deadline. Where a backend
 * works on its callers' threads, a caller that works for others may return later, by as much again. They throw
 * {@link IllegalStateException} after {@link Counters#close()}. Do not call them on a thread that completes futures of
 * this library; use {@link #async()} there. Thread-safe.
 */
public interface Counter {
    /** The counter's name. */
    String name();

    /** Adds 1: {@link #add(long)}. */
    default void increment() {
        add(1);
    }

    /**
     * Adds {@code delta}, which may be negative or 0, exactly once.
     *
     * @throws IllegalArgumentException if delta is outside ±2<sup>53</sup>; nothing was applied
     * @throws NotAppliedException if the store refused or could not be reached ({@link ContentionException}: other
     *     writers; {@link QueueFullException}: too many requests wait; {@link SealedException}: it lives elsewhere now);
     *     nothing was applied
     * @throws OutcomeUnknownException if it may have been applied; carries the token that decides
     */
    void add(long delta);

    /**
     * Adds {@code delta} unless an add with this token has been applied already, from whatever process: then it returns
     * as that one did. Otherwise as {@link #add(long)}; but what it throws speaks of this call only. After one whose
     * outcome was unknown, {@link NotAppliedException} leaves that open: try again, or resolve the token.
     *
     * @throws TokenRefusedException if the token stands for another delta, counter or operation, or was resolved as not
     *     applied; nothing was applied by this call
     */
    void add(long delta, IdempotencyToken token);

    /**
     * The total, strong: it sees every add that was acknowledged before the call, and nothing that never was.
     *
     * @throws CounterOverflowException if the total is outside ±2<sup>62</sup>
     * @throws CorruptDataException if the store holds something that is no counter
     * @throws NotAppliedException if the store could not be read in time
     */
    default long get() {
        return read(Duration.ZERO).value();
    }

    /**
     * The total as it was at most {@code maxStaleness} ago; need not show the caller's own adds. Zero is a strong read.
     * The longer the staleness that is allowed, the cheaper the read may be.
     *
     * @throws IllegalArgumentException if {@code maxStaleness} is negative
     * @throws CounterException as {@link #get()}
     */
    Reading read(Duration maxStaleness);

    /**
     * Sets the total to 0 in one step: every concurrent add counts before it and goes, or after it and stays. An
     * absent counter stays absent. This is also the way out of an overflow. Not for taking the total away and using it:
     * {@link #get()} the total and {@link #add(long)} its negative, with tokens, does that exactly.
     *
     * @throws NotAppliedException if nothing was changed
     * @throws OutcomeUnknownException if it may have been; {@link Counters#resolve} decides
     */
    void reset();

    /**
     * Makes the counter absent in one step; a later add starts again from 0. Tokens are remembered all the same.
     *
     * @throws NotAppliedException if nothing was changed
     * @throws OutcomeUnknownException if it may have been; {@link Counters#resolve} decides
     */
    void delete();

    /**
     * Ends this counter for good: its total is final, it can still be read, and every later add, reset and delete gets
     * a {@link SealedException}. Sealing again with the same address returns the same seal.
     *
     * @param forward where the counter lives on; not empty
     * @throws SealedException if it was sealed with another address
     * @throws UnsupportedOperationException if the backend cannot seal counters
     * @throws NotAppliedException if nothing was changed
     * @throws OutcomeUnknownException if it may have been; seal again to find out
     */
    Seal seal(String forward);

    /**
     * Shows the total to {@code readings} from now on, until the watch or the {@link Counters} are closed: as
     * {@link #watch(Duration, Consumer, Consumer)}, with failures written to the log.
     */
    default Watch watch(Duration cadence, Consumer<? super Reading> readings) {
        return watch(cadence, readings, ThrottledWatch.logFailuresOf(name()));
    }

    /**
     * Shows the total to {@code readings} from now on, until the watch or the {@link Counters} are closed: the first
     * reading soon, then each change, whoever made it, usually within a cadence or two and never more often than once a
     * cadence. Of totals that follow one another faster, the newest is shown, and one that comes back to what was shown
     * last is not. An absent counter shows 0. Readings of one watch never go back in time;
     * {@link Reading#staleness()} tells how old each may be, and {@link Watch#latest()} how old the newest is by now,
     * changed or not.
     *
     * <p>Never blocks, so asynchronous callers use it too. When the counter cannot be read, {@code failures} is told why,
     * less and less often while that lasts, and the watch goes on: it ends by being closed only.
     *
     * <p>Both consumers are called on one thread that all watches of these {@link Counters} share, never two at once, so
     * they must be quick: a slow one delays all. They may close their watch. What one throws is logged and harms nobody;
     * it is called again for the next change. The thread is a daemon and there only while something is watched;
     * {@link CountersOptions#watchThread()} makes it.
     *
     * <p>Costs a read of this staleness every cadence, as {@link #read(Duration)} does, unless the backend says that it
     * can do better. A backend that is bound to its callers' threads (App Engine's Datastore) reads on that one thread: it
     * needs one that may, from {@link CountersOptions.Builder#watchThread}.
     *
     * @param cadence 1 ms to 1 day
     * @throws IllegalArgumentException if {@code cadence} is outside that
     */
    Watch watch(Duration cadence, Consumer<? super Reading> readings, Consumer<? super CounterException> failures);

    /** The same counter without blocking. */
    AsyncCounter async();
}
