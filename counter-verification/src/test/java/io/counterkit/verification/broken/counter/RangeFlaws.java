package io.counterkit.verification.broken.counter;

import io.counterkit.CounterOverflowException;
import io.counterkit.NamePage;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Joined;
import io.counterkit.verification.broken.flaw.Pages;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapters 6 and 10, continued: totals out of range, and the largest number. */
public final class RangeFlaws {
    private RangeFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("omits counters out of range from its lists", "6.8").counters(OmitsOverflown::new),
                Flaw.that("deletes a counter out of range that is reset", "6.8").counters(DeletesOverflown::new),
                Flaw.that("wraps a total beyond 64 bits", "6.2", "6.3")
                        .counters(ConcurrentHashMap<String, BigInteger>::new, Wraps::new),
                Flaw.that("fails to delete a counter below the range", "4.12").counters(DeletesInRange::new),
                Flaw.that("fails to seal a counter below the range", "11.10").counters(SealsInRange::new),
                Flaw.that("fails to look for the largest number", "10.13").sequences(OverflowsErasure::new));
    }

    private static boolean isOverflown(CounterStore store, String name) {
        Call call = Commits.lasting(Duration.ofSeconds(20));
        return store.read(List.of(name), Duration.ZERO, call).join().get(0).failure()
                instanceof CounterOverflowException;
    }

    private static final class OmitsOverflown extends ForwardingCounterStore {
        OmitsOverflown(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return Pages.filtered(store.names(prefix, cursor, limit, call), name -> !isOverflown(store, name));
        }
    }

    private static final class DeletesOverflown extends ForwardingCounterStore {
        DeletesOverflown(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return isOverflown(store, name) ? store.delete(name, commit) : store.reset(name, commit);
        }
    }

    /** Returns whether a total is out of range, but not after it has grown. */
    private static boolean isBelow(CounterStore store, String name) {
        if (!isOverflown(store, name)) {
            return false;
        }
        AddRequest more = new AddRequest(name, 1L << 20, null);
        AddRequest less = new AddRequest(name, -more.delta(), null);
        store.add(List.of(more), Commits.own()).join();
        boolean isStillOverflown = isOverflown(store, name);
        store.add(List.of(less), Commits.own()).join();
        return !isStillOverflown;
    }

    private static final class DeletesInRange extends ForwardingCounterStore {
        DeletesInRange(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return isBelow(store, name)
                    ? CompletableFuture.failedFuture(new CounterOverflowException("the total is below the range"))
                    : store.delete(name, commit);
        }
    }

    private static final class SealsInRange extends ForwardingCounterStore {
        SealsInRange(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return isBelow(store, name)
                    ? CompletableFuture.failedFuture(new CounterOverflowException("the total is below the range"))
                    : store.seal(name, forward, commit);
        }
    }

    private static final class OverflowsErasure extends ForwardingSequenceStore {
        OverflowsErasure(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return number + 1 < number
                    ? CompletableFuture.failedFuture(new IllegalStateException("a range without an end"))
                    : store.erase(sequence, number, commit);
        }
    }

    /** Reads the lowest 64 bits of a total. */
    private static final class Wraps extends ForwardingCounterStore {
        private final Map<String, BigInteger> totals;

        Wraps(CounterStore store, Map<String, BigInteger> totals) {
            super(store);
            this.totals = totals;
        }

        @Override
        public @Nullable FastPath fastPath(String name) {
            return null;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit).thenApply(results -> {
                requests.forEach(add -> totals.merge(add.name(), BigInteger.valueOf(add.delta()), BigInteger::add));
                return results;
            });
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return store.reset(name, commit).thenRun(() -> totals.remove(name));
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read(names, maxStaleness, call)
                    .thenApply(results -> Joined.of(
                            names,
                            results,
                            (name, right) -> wrapped(totals.getOrDefault(name, BigInteger.ZERO), right)));
        }

        private static Result<Reading> wrapped(BigInteger total, Result<Reading> right) {
            long bits = total.longValue();
            return total.bitLength() < Long.SIZE || Math.abs(bits) > Limits.MAX_TOTAL
                    ? right
                    : Result.of(new Reading(bits, Instant.now(), Duration.ZERO));
        }
    }
}
