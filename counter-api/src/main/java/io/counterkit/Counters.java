package io.counterkit;

import io.counterkit.internal.request.DefaultCounters;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All counters and sequences of one store. Make one per store and process, or have it injected; whoever uses it need
 * not know which backend is below.
 *
 * <pre>{@code
 * Counters counters = Counters.over(backend);
 * counters.counter("posts/42/likes").increment();
 * long number = counters.sequence("invoices/2026").next();
 * }</pre>
 *
 * <p>Names of counters and of sequences are two namespaces. A name is any text of 1 to 400 UTF-8 bytes without control
 * characters or lone surrogates; case and every other difference count.
 *
 * <p>Adds and appends that wait while a batch is on its way form the next batch; an idle request goes at once.
 * Thread-safe.
 */
public interface Counters extends AutoCloseable {
    /** Counters over {@code backend} with {@link CountersOptions#defaults()}; closing them closes the backend. */
    static Counters over(CounterBackend backend) {
        return over(backend, CountersOptions.defaults());
    }

    /**
     * Counters over {@code backend}; closing them closes the backend.
     *
     * @throws IllegalArgumentException if the deadline of {@code options} is longer than half of the time that the backend
     *     {@linkplain CounterBackend#retention() remembers tokens}
     */
    static Counters over(CounterBackend backend, CountersOptions options) {
        return new DefaultCounters(backend, options);
    }

    /**
     * The counter of this name. Never asks the store.
     *
     * @throws IllegalArgumentException if it is no name
     */
    Counter counter(String name);

    /**
     * The sequence of this name. Never asks the store.
     *
     * @throws IllegalArgumentException if it is no name
     */
    Sequence sequence(String name);

    /** The first names of present counters that start with {@code prefix}: {@link #counterNames(String, String, int)}. */
    default NamePage counterNames(String prefix) {
        return counterNames(prefix, null, 1000);
    }

    /**
     * Names of present counters that start with {@code prefix}, a page at a time. The list may lag behind on an
     * eventually consistent store, and what is added or deleted meanwhile may be missed or still come; no name comes
     * twice.
     *
     * @param prefix may be empty for all
     * @param cursor {@link NamePage#next()} of the page before, or null for the first page
     * @param limit 1 to 1,000
     * @throws NotAppliedException if the store could not be read in time
     */
    NamePage counterNames(String prefix, @Nullable String cursor, int limit);

    /** The first names of sequences that start with {@code prefix}: {@link #sequenceNames(String, String, int)}. */
    default NamePage sequenceNames(String prefix) {
        return sequenceNames(prefix, null, 1000);
    }

    /** Names of sequences that hold an entry or a seal; as {@link #counterNames(String, String, int)}. */
    NamePage sequenceNames(String prefix, @Nullable String cursor, int limit);

    /**
     * The totals of many counters, as a page full of them needs it, in few round trips. Each is at most
     * {@code maxStaleness} old; they need not be of one moment.
     *
     * @param names at most 1,000; one that comes twice is read once
     * @throws IllegalArgumentException if one is no name, there are too many, or {@code maxStaleness} is negative
     * @return what could be read, and the failures of the counters that could not: {@link Readings#get(String)} throws them
     * @throws CounterException if not one of the counters could be read: the failure of the first, as {@link
     *     Counter#read(Duration)} throws it, with those of the others suppressed
     * @throws NotAppliedException if the store could not be read in time
     */
    Readings readAll(Collection<String> names, Duration maxStaleness);

    /**
     * The largest counters whose names start with {@code prefix}, largest first, each with how old its total may be.
     *
     * @param limit 1 to 1,000
     * @throws UnsupportedOperationException if the backend does not declare {@link Capability#TOP}
     * @throws CounterOverflowException if the total of one of the counters is outside ±2<sup>62</sup>
     * @throws NotAppliedException if the store could not be read in time
     */
    List<NamedReading> top(String prefix, int limit);

    /**
     * Decides what became of the change that carries {@code token}. If it was applied, says what it was. If not, makes
     * sure that it never will be, also if it is still on its way, and says {@link Resolution.NotApplied}; the token is
     * then used up, and trying again needs a new one. Holds for the retention of the backend.
     *
     * @throws OutcomeUnknownException if the store could not be asked or did not answer in time: ask again
     * @throws QueueFullException if too many requests wait: nothing was asked
     */
    Resolution resolve(IdempotencyToken token);

    /**
     * Settles a change whose outcome is unknown: resolves its token as {@link #resolve} does, and again, with growing pauses,
     * while the store cannot be asked. A change that is on its way is decided as well.
     *
     * <pre>{@code
     * try {
     *     likes.increment();
     * } catch (OutcomeUnknownException e) {
     *     if (!counters.settle(e.token(), Duration.ofMinutes(1)).applied()) {
     *         likes.increment(); // with a new token: the old one is used up
     *     }
     * }
     * }</pre>
     *
     * @param token the token of the exception, or the caller's own
     * @param timeout how long to try; the last attempt may end later, at its own deadline. Zero resolves once
     * @throws IllegalArgumentException if {@code timeout} is negative
     * @throws OutcomeUnknownException if the outcome is still unknown after {@code timeout}, or the thread was interrupted,
     *     whose flag is then restored: settle it again, here or in another process
     */
    Resolution settle(IdempotencyToken token, Duration timeout);

    /** The optional abilities of the backend. */
    Set<Capability> capabilities();

    /** The whole-store operations without blocking. */
    AsyncCounters async();

    /**
     * Accepts nothing more, waits until all that was accepted is answered or
     * {@link CountersOptions#drainTimeout()} has passed, and closes the backend. What then still waits was not applied;
     * what is still on its way is unknown; each caller is told so. Does nothing the second time.
     *
     * @throws OutcomeUnknownException if changes were still on their way: the message names all their tokens
     */
    @Override
    void close();
}
