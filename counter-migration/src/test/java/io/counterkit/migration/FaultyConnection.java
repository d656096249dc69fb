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

/** The connection of one process to its stores, with a fault in one call. Another task runs before each call. Thread-safe. */
public final class FaultyConnection implements Connection {
    /** The fault of a call. */
    public enum Fate {
        /** The call is made and is the last of this process, which gets no more answers. */
        KILLED_AFTER,
        /** The call is made and its reply is lost. */
        REPLY_LOST,
        /** The call is not made. */
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
     * @param side the prefix of the calls that are counted; empty for all
     * @param at the number of the call with the fault, from 1; 0 for none
     * @param others runs before each call
     */
    public FaultyConnection(Fate fate, String side, int at, Runnable others) {
        this.fate = fate;
        this.side = side;
        this.at = at;
        this.others = others;
    }

    /** Returns a future that completes with the last call of a process that is killed. */
    public CompletableFuture<Boolean> killed() {
        return killed;
    }

    /** Runs a job in a process. Returns its report, or empty if it is killed. */
    public Optional<MigrationReport> run(Callable<MigrationReport> job) throws Exception {
        CompletableFuture<MigrationReport> done = new CompletableFuture<>();
        Thread process = new Thread(() -> {
            try {
                done.complete(job.call());
            } catch (Throwable e) { // an assertion too
                done.completeExceptionally(e);
            }
        });
        process.start();
        CompletableFuture.anyOf(done, killed).get(2, TimeUnit.MINUTES);
        process.interrupt(); // a killed process waits for an answer that never comes
        process.join();
        return killed.isDone() ? Optional.empty() : Optional.of(done.join());
    }

    /** Returns whether the fault was injected. */
    public synchronized boolean hasHit() {
        return counted >= at;
    }

    /** Returns the calls so far. */
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
            case MADE -> store.get();
            case FAULTY -> injectFault(what, call, store);
        };
    }

    private enum Action {
        MADE,
        FAULTY,
        IGNORED
    }

    private synchronized boolean isDead() {
        return isDead;
    }

    private synchronized Action next(String what) {
        if (isDead) {
            return Action.IGNORED;
        }
        calls.add(what);
        if (!what.startsWith(side) || ++counted != at) {
            return Action.MADE;
        }
        isDead = fate == Fate.KILLED_AFTER;
        return Action.FAULTY;
    }

    private <T> CompletableFuture<T> injectFault(String what, Call call, Supplier<CompletableFuture<T>> store) {
        if (fate == Fate.NOT_APPLIED) {
            return CompletableFuture.failedFuture(new NotAppliedException(what + " fails"));
        }
        CompletableFuture<T> made = store.get();
        if (fate == Fate.KILLED_AFTER) {
            CompletableFuture<?> unused = made.handle((value, failure) -> killed.complete(true));
            return new CompletableFuture<>();
        }
        return made.<T>handle((value, failure) -> null)
                .thenCompose(unused -> CompletableFuture.failedFuture(lost(what, call)));
    }

    /** Returns the failure of a backend: a change without a token that may have been applied fails with a foreign exception. */
    private static RuntimeException lost(String what, Call call) {
        String message = what + " loses its reply";
        if (call instanceof Commit commit) {
            return new OutcomeUnknownException(message, commit.token(), null);
        }
        boolean isChange = what.contains(".copy") || what.contains(".import");
        return isChange ? new IllegalStateException(message) : new NotAppliedException(message);
    }
}
