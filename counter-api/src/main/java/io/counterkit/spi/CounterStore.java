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
 * The counters of a store. Failures that have an outcome complete the future with a
 * {@link io.counterkit.CounterException}; a change that fails with anything else, or throws, counts as unknown. A future
 * is completed once and not touched afterwards. Thread-safe.
 */
public interface CounterStore {
    /** How adds are combined before they come here. Asked once. */
    BatchLimits limits();

    /** What an add takes of {@link BatchLimits#maxWeight()}: from 1 to that. */
    default int weight(AddRequest request) {
        return 1;
    }

    /**
     * Applies each request once, and answers in the same order. Requests without a token of their own are applied all
     * together under {@link Commit#token()} or not at all, so if one of them cannot be, it fails and the others are
     * answered {@link Result#retry()}; at most one of them names any one counter. No token comes twice in a batch. A
     * request whose token was seen before is answered as that one was, also after a seal, or refused with
     * {@link io.counterkit.TokenRefusedException} if it differs. One bad request fails alone.
     */
    CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit);

    /**
     * A short way for adds without a token to one counter, for a store that answers within nanoseconds; null, as here,
     * where there is none. Used only where {@link #limits()} are direct.
     */
    default @Nullable FastPath fastPath(String name) {
        return null;
    }

    /** Adds to one counter without a request, a token and a future. Thread-safe. */
    interface FastPath {
        /** Applies the add and returns true; or does nothing and returns false, and it takes the long way. */
        boolean tryAdd(long delta);
    }

    /**
     * Reads totals that are at most {@code maxStaleness} old, in the order of the names; absent counters read 0. Zero
     * asks for a strong read: it sees every add acknowledged before the call. A counter that cannot be read fails
     * alone.
     */
    CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call);

    /**
     * Shows a counter's total as it changes, where the store can do that better than by being asked; null, as here, where
     * it cannot: the API layer then reads it every {@code cadence}. The first reading comes soon, and each later total, or
     * a newer one, within about a cadence after it is made. It goes on through outages until it is closed; then it frees
     * what it holds. Does not wait for the store.
     *
     * @param cadence how often readings are of use, and how old they may be
     * @param sink takes the readings; it may be called on any thread, before this returns too
     */
    default @Nullable Watch watch(String name, Duration cadence, Sink sink) {
        return null;
    }

    /**
     * Takes what a watch sees. It returns at once and throws nothing; passes a total on once and at most once a cadence,
     * so it may be given more; and ignores what comes after the watch was closed. Thread-safe.
     */
    interface Sink {
        /** The time for one look at the store. */
        Call call();

        /**
         * A reading. Those of one watch come in order of time; one that is of an earlier moment than another before it
         * is left out, unless it is strong. One that finds the total as it was must be given too, about one each
         * cadence: from it an application knows that the total is still this ({@link Watch#latest()}).
         */
        void reading(Reading reading);

        /** The counter could not be read; the watch goes on. */
        void failure(CounterException failure);
    }

    /**
     * Sets the total to 0 as one step between any two adds, also when it was out of range. The counter stays present;
     * an absent one stays absent, and the token of the commit may then be resolved as not applied.
     */
    CompletableFuture<Void> reset(String name, Commit commit);

    /** Makes the counter absent as one step between any two adds. */
    CompletableFuture<Void> delete(String name, Commit commit);

    /**
     * Names of present counters that start with {@code prefix}, at most {@code limit}, from {@code cursor} on. The
     * order is the store's. Names added or deleted meanwhile, or not long ago on a store whose queries lag, may be missed
     * or still come; no name comes twice.
     *
     * @param cursor the {@link NamePage#next()} of the page before, or null for the first page
     */
    CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call);

    /**
     * The {@code limit} counters under {@code prefix} with the largest totals, largest first, equal ones by name. Called
     * only where {@link Capability#TOP} is declared.
     */
    default CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("top"));
    }

    /**
     * Ends the counter, an absent one too: no add, reset or delete is applied from then on, all fail with
     * {@link io.counterkit.SealedException}. Sealing again with the same address returns the first seal; with another
     * one it fails with {@code SealedException}. Called only where {@link Capability#SEAL_COUNTERS} is declared.
     */
    default CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("seal"));
    }
}
