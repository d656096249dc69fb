package io.counterkit.migration;

import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The wires of one process to its stores, on which something befalls one call. Somebody else has a turn before each call.
 * For stores that answer at once.
 */
final class FatefulWire implements Wire {
    /** What befalls a call. */
    enum Fate {
        /** It is carried out and is the last of this process, which hears nothing more. */
        KILLED_AFTER,
        /** It is carried out, and the process does not hear of it. */
        REPLY_LOST,
        /** It is not carried out. */
        NOT_APPLIED
    }

    private final Fate fate;
    private final String side;
    private final int at;
    private final Runnable others;
    private final List<String> calls = new ArrayList<>();
    private final CompletableFuture<Boolean> killed = new CompletableFuture<>();
    private int counted;

    /**
     * @param side what the names of the calls start with that are counted; empty for all
     * @param at the call that it befalls, from 1 on; 0 for none
     * @param others has a turn before each call
     */
    FatefulWire(Fate fate, String side, int at, Runnable others) {
        this.fate = fate;
        this.side = side;
        this.at = at;
        this.others = others;
    }

    /** Completed when the process is killed. */
    CompletableFuture<Boolean> killed() {
        return killed;
    }

    /** Whether there were so many calls that what should befall one did. */
    boolean hasHit() {
        return counted >= at;
    }

    /** The calls so far. */
    List<String> calls() {
        return calls;
    }

    @Override
    public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
        if (killed.isDone()) {
            return new CompletableFuture<>();
        }
        others.run();
        calls.add(what);
        if (!what.startsWith(side) || ++counted != at) {
            return store.get();
        }
        if (fate == Fate.NOT_APPLIED) {
            return CompletableFuture.failedFuture(new NotAppliedException(what + " fails"));
        }
        CompletableFuture<T> carriedOut = store.get();
        if (!carriedOut.isDone()) {
            throw new AssertionError(what + " was not answered at once");
        }
        if (fate == Fate.KILLED_AFTER) {
            killed.complete(true);
            return new CompletableFuture<>();
        }
        return CompletableFuture.failedFuture(
                call instanceof Commit commit
                        ? new OutcomeUnknownException(what + " loses its reply", commit.token(), null)
                        : new NotAppliedException(what + " loses its reply"));
    }
}
