package io.counterkit.migration;

import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The wires of one process to its stores, on which something befalls one call. Somebody else has a turn before each call.
 * Thread-safe.
 */
public final class FatefulWire implements Wire {
    /** What befalls a call. */
    public enum Fate {
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
    private boolean isDead;

    /**
     * @param side what the names of the calls start with that are counted; empty for all
     * @param at the call that it befalls, from 1 on; 0 for none
     * @param others has a turn before each call
     */
    public FatefulWire(Fate fate, String side, int at, Runnable others) {
        this.fate = fate;
        this.side = side;
        this.at = at;
        this.others = others;
    }

    /** Completed when the last call of the process that is killed was carried out. */
    public CompletableFuture<Boolean> killed() {
        return killed;
    }

    /** Lets a process run a job; its report, or none if it is killed. */
    public Optional<MigrationReport> run(Callable<MigrationReport> job) throws Exception {
        CompletableFuture<MigrationReport> done = new CompletableFuture<>();
        Thread process = new Thread(() -> {
            try {
                done.complete(job.call());
            } catch (Throwable e) { // an assertion too: whoever waits has to be told
                done.completeExceptionally(e);
            }
        });
        process.start();
        CompletableFuture.anyOf(done, killed).get(2, TimeUnit.MINUTES);
        process.interrupt(); // it waits for an answer that never comes
        process.join();
        return killed.isDone() ? Optional.empty() : Optional.of(done.join());
    }

    /** Whether there were so many calls that what should befall one did. */
    public synchronized boolean hasHit() {
        return counted >= at;
    }

    /** The calls so far. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    @Override
    public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
        if (isDead()) {
            return new CompletableFuture<>();
        }
        others.run();
        return switch (next(what)) {
            case IGNORED -> new CompletableFuture<>();
            case CARRIED_OUT -> store.get();
            case BEFALLEN -> befallen(what, call, store);
        };
    }

    private enum Turn {
        CARRIED_OUT,
        BEFALLEN,
        IGNORED
    }

    private synchronized boolean isDead() {
        return isDead;
    }

    private synchronized Turn next(String what) {
        if (isDead) {
            return Turn.IGNORED;
        }
        calls.add(what);
        if (!what.startsWith(side) || ++counted != at) {
            return Turn.CARRIED_OUT;
        }
        isDead = fate == Fate.KILLED_AFTER;
        return Turn.BEFALLEN;
    }

    private <T> CompletableFuture<T> befallen(String what, Call call, Supplier<CompletableFuture<T>> store) {
        if (fate == Fate.NOT_APPLIED) {
            return CompletableFuture.failedFuture(new NotAppliedException(what + " fails"));
        }
        CompletableFuture<T> carriedOut = store.get();
        if (fate == Fate.KILLED_AFTER) {
            CompletableFuture<?> unused = carriedOut.handle((value, failure) -> killed.complete(true));
            return new CompletableFuture<>();
        }
        return carriedOut
                .<T>handle((value, failure) -> null)
                .thenCompose(unused -> CompletableFuture.failedFuture(lost(what, call)));
    }

    /** As a backend tells it: what has no token and may have been applied fails with none of our exceptions. */
    private static RuntimeException lost(String what, Call call) {
        String message = what + " loses its reply";
        if (call instanceof Commit commit) {
            return new OutcomeUnknownException(message, commit.token(), null);
        }
        boolean isChange = what.contains(".copy") || what.contains(".import");
        return isChange ? new IllegalStateException(message) : new NotAppliedException(message);
    }
}
