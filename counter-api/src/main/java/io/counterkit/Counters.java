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
 * The counters and sequences of one store, independent of the backend. Create one per store and process, or inject it.
 *
 * <pre>{@code
 * Counters counters = Counters.over(backend);
 * counters.counter("posts/42/likes").increment();
 * long number = counters.sequence("invoices/2026").next();
 * }</pre>
 *
 * <p>Names of counters and names of sequences are independent. A valid name has 1 to 400 UTF-8 bytes and no control
 * characters or lone surrogates. Names are compared exactly.
 *
 * <p>The request of a single caller is sent immediately; adds and appends that wait while a batch is in flight form the
 * next batch. Thread-safe.
 */
public interface Counters extends AutoCloseable {
    /**
     * Returns counters over {@code backend} with {@link CountersOptions#defaults()}. Closing them closes the backend.
     */
    static Counters over(CounterBackend backend) {
        return over(backend, CountersOptions.defaults());
    }

    /**
     * Returns counters over {@code backend}. Closing them closes the backend.
     *
     * @throws IllegalArgumentException if the deadline is longer than half of the backend's
     *     {@linkplain CounterBackend#retention() retention} of tokens
     */
    static Counters over(CounterBackend backend, CountersOptions options) {
        return new DefaultCounters(backend, options);
    }

    /**
     * Returns the counter with this name. Does not access the store.
     *
     * @throws IllegalArgumentException if {@code name} is not a valid name
     */
    Counter counter(String name);

    /**
     * Returns the sequence with this name. Does not access the store.
     *
     * @throws IllegalArgumentException if {@code name} is not a valid name
     */
    Sequence sequence(String name);

    /** Returns the first page of {@link #counterNames(String, String, int)}, of up to 1,000 names. */
    default NamePage counterNames(String prefix) {
        return counterNames(prefix, null, 1000);
    }

    /**
     * Returns a page of the names of present counters that start with {@code prefix}. On an eventually consistent
     * store, recent changes may be missing. Names that are added or deleted during the listing may be listed or not; no
     * name is listed twice.
     *
     * @param prefix the start of the names; empty for all
     * @param cursor the {@link NamePage#next()} of the previous page, or null for the first page
     * @param limit the maximum number of names, 1 to 1,000
     * @throws IllegalArgumentException if {@code limit} is out of range, {@code prefix} cannot start a valid name, or
     *     {@code cursor} cannot be the {@code next} of a page
     * @throws NotAppliedException if the store could not be read in time
     */
    NamePage counterNames(String prefix, @Nullable String cursor, int limit);

    /** Returns the first page of {@link #sequenceNames(String, String, int)}, of up to 1,000 names. */
    default NamePage sequenceNames(String prefix) {
        return sequenceNames(prefix, null, 1000);
    }

    /** Returns a page of the names of sequences that have an entry or a seal. Otherwise as {@link #counterNames}. */
    NamePage sequenceNames(String prefix, @Nullable String cursor, int limit);

    /**
     * Returns the totals of many counters, in few round trips. Each total is at most {@code maxStaleness} old; the
     * totals need not be of the same moment. {@link Readings#get(String)} throws the failure of a counter that could
     * not be read.
     *
     * @param names at most 1,000 names; duplicates are read once
     * @param maxStaleness zero or more; zero means a strong read
     * @throws IllegalArgumentException if a name is not valid, there are too many, or {@code maxStaleness} is negative
     * @throws CounterException if no counter could be read: the failure of the first one, with the others suppressed
     */
    Readings readAll(Collection<String> names, Duration maxStaleness);

    /**
     * Returns the largest counters whose names start with {@code prefix}, in descending order of their totals. Counters
     * with equal totals are in the order of their names, by code points or by UTF-16 code units. Each total is at most
     * as old as its reading states; a backend may use totals of about a second ago.
     *
     * @param limit the maximum number of counters, 1 to 1,000
     * @throws IllegalArgumentException if {@code limit} is out of range, or {@code prefix} cannot start a valid name
     * @throws UnsupportedOperationException if the backend does not declare {@link Capability#TOP}
     * @throws CounterOverflowException if the total of one of the counters is outside ±2<sup>62</sup>
     * @throws NotAppliedException if the store could not be read in time
     */
    List<NamedReading> top(String prefix, int limit);

    /**
     * Decides the outcome of the change with this token. If the change was applied, returns it. Otherwise ensures that
     * it never will be, even if it is in flight, and returns {@link Resolution.NotApplied}; another attempt then needs
     * a new token. The decision is remembered for the backend's retention.
     *
     * @throws IllegalArgumentException if the token starts like one that CounterKit generates, but is not one
     * @throws OutcomeUnknownException if the store did not reply in time; call again
     * @throws QueueFullException if too many requests wait; nothing was decided
     */
    Resolution resolve(IdempotencyToken token);

    /**
     * Settles a change whose outcome is unknown: calls {@link #resolve} with its token, with growing pauses between the
     * calls, until the store replies. A change that is still in flight is decided as well.
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
     * @throws IllegalArgumentException if {@code timeout} is negative, or the token starts like one that CounterKit
     *     generates, but is not one
     * @throws OutcomeUnknownException if the outcome is still unknown after {@code timeout}, or if the thread was
     *     interrupted, which restores its interrupt flag. Settle the token again, here or in another process
     */
    Resolution settle(IdempotencyToken token, Duration timeout);

    /** Returns the capabilities that the backend declares. */
    Set<Capability> capabilities();

    /** Returns the non-blocking form of the whole-store operations. */
    AsyncCounters async();

    /**
     * Closes these counters. Closes all {@linkplain Follower#close() followers} first. Then refuses new requests, waits
     * until all pending ones are answered or {@link CountersOptions#drainTimeout()} has passed, and closes the backend.
     * After that time, waiting requests fail with {@link NotAppliedException}, and changes in flight with {@link
     * OutcomeUnknownException}. Idempotent.
     *
     * @throws OutcomeUnknownException if changes were in flight; the message contains all their tokens
     */
    @Override
    void close();
}
