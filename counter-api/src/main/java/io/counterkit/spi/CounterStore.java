package io.counterkit.spi;

import io.counterkit.CounterException;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.Watch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a store.
 *
 * <p>If the outcome of a failure is known, the future completes with the {@link CounterException} that states it. Any
 * other failure of a change, thrown or in the future, is reported to the caller as an unknown outcome. Thread-safe.
 */
public interface CounterStore {
    /** Returns the batches of adds that this store accepts. */
    BatchLimits limits();

    /** Returns the weight of an add: 1 to {@link BatchLimits#maxWeight()}. */
    default int weight(AddRequest request) {
        return 1;
    }

    /**
     * Applies each request once. Returns one result for each, in the same order.
     *
     * <ul>
     *   <li>Requests without a token are applied together with {@link Commit#token()}, or not at all: if one of them
     *       cannot be applied, it fails and the others get {@link Result#retry()}. A batch has at most one of them per
     *       counter.
     *   <li>A request with a token is applied unless the token was used before. If it was used for the same add, the
     *       result is the result of the first one, even after a seal; otherwise the request fails with {@link
     *       io.counterkit.TokenRefusedException}. No token occurs twice in a batch.
     *   <li>A request that fails for a reason of its own does not make other requests fail.
     * </ul>
     */
    CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit);

    /**
     * Returns a fast path for adds without a token to one counter, for a store that answers within nanoseconds. Returns
     * null, the default, if there is none. Used only if {@link #limits()} are direct.
     */
    default @Nullable FastPath fastPath(String name) {
        return null;
    }

    /** Adds to one counter without a request, a token or a future. Thread-safe. */
    interface FastPath {
        /** Applies the add and returns true, or does nothing and returns false; {@link #add} is then called. */
        boolean tryAdd(long delta);
    }

    /**
     * Reads totals that are at most {@code maxStaleness} old; zero means a strong read, which sees every add that was
     * acknowledged before the call. Returns one result for each name, in the same order: 0 for an absent counter, a
     * {@link io.counterkit.CounterOverflowException} for a total outside ±{@value Limits#MAX_TOTAL}, and a failure for
     * a counter that cannot be read.
     *
     * @param names at most {@value Limits#MAX_PAGE} names, or none
     */
    CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call);

    /**
     * Watches a counter, if the store can do that better than by polling. Returns null, the default, if it cannot; the
     * API layer then reads the counter once per {@code cadence}, and after the reports of {@link #listen}.
     *
     * <p>Reports the first reading soon, and each later total, or a newer one, within about a cadence. Continues
     * through outages until the watch is closed, which releases its resources. Does not block. The watch may be closed
     * on any thread, also while it reads or calls the sink, and in that call. It then reports no change that is made
     * later.
     *
     * @param cadence how often readings are useful, and how old they may be
     * @param sink receives the readings; may be called on any thread, even before this method returns
     */
    default @Nullable Watch watch(String name, Duration cadence, Sink sink) {
        return null;
    }

    /**
     * Receives the readings of a watch. Reports each total to the application once, and not more often than once per
     * cadence. Ignores readings and failures that arrive after the watch was closed. Does not block and throws nothing.
     * Thread-safe.
     */
    interface Sink {
        /** Returns a call for one read of the store. */
        Call call();

        /**
         * Receives a reading. Ignores it if it is of an earlier moment than a previous one, unless it is strong. Report
         * unchanged totals too, about once per cadence, so that an idle counter can be told from an unreachable one:
         * see {@link Watch#latest()}.
         */
        void reading(Reading reading);

        /** Receives the reason why the counter could not be read. The watch continues. */
        void failure(CounterException failure);
    }

    /**
     * Listens for changes of a counter, if the store can report them. Returns null, the default, if it cannot. Called
     * for each watch that {@link #watch} does not provide.
     *
     * <p>A report only makes a watch read sooner. A lost report delays a change until the next read of its cadence, and
     * a superfluous report costs a read. Continues through outages until it is closed, which releases its resources.
     * Does not block.
     *
     * @param changed called soon after any process has added to, reset, deleted or imported the counter, and when
     *     {@link Listening#isLive()} changes; on any thread, even before this method returns. Does not block and throws
     *     nothing
     */
    default @Nullable Listening listen(String name, Runnable changed) {
        return null;
    }

    /**
     * Sets the total to 0, in one step between any two adds, even if it was out of range. The counter stays present. An
     * absent counter stays absent; the commit's token may then resolve as not applied.
     */
    CompletableFuture<Void> reset(String name, Commit commit);

    /** Makes the counter absent, in one step between any two adds. */
    CompletableFuture<Void> delete(String name, Commit commit);

    /**
     * Lists the names of present counters that start with {@code prefix}, in the store's order. No name is listed
     * twice. Names that are added or deleted during the listing may be listed or not; so may recent ones if the store's
     * queries lag.
     *
     * @param cursor the {@link NamePage#next()} of the previous page, or null for the first page. A text that no page has
     *     returned is a place in the order of names too, or fails with {@link Limits#refusalOfCursor}
     * @param limit the maximum number of names, 1 to {@value Limits#MAX_PAGE}
     */
    CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call);

    /**
     * Returns the {@code limit} counters under {@code prefix} with the largest totals, in descending order. Counters
     * with equal totals are in the order of their names, by code points or by UTF-16 code units. Each total is at most
     * as old as its reading states. Called only if {@link Capability#TOP} is declared.
     *
     * @param limit the maximum number of counters, 1 to {@value Limits#MAX_PAGE}
     */
    default CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
        return CompletableFuture.failedFuture(
                new UnsupportedOperationException("top is not implemented, though the backend declares TOP"));
    }

    /**
     * Seals the counter, even an absent one: every later add, reset and delete fails with {@link
     * io.counterkit.SealedException}. Sealing again with the same address returns the first seal; with another address
     * it fails with {@code SealedException}. Called only if {@link Capability#SEAL_COUNTERS} is declared.
     *
     * @param forward the address where the counter continues
     */
    default CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException(
                "seal is not implemented, though the backend declares SEAL_COUNTERS"));
    }
}
