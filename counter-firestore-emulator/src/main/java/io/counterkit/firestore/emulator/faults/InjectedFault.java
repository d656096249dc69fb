package io.counterkit.firestore.emulator.faults;

import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A fault that waits for its call or has hit it. Thread-safe. */
public final class InjectedFault implements AutoCloseable {
    private final Fault fault;
    private final Status shown;
    private final Consumer<InjectedFault> disarm;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> executed = new CompletableFuture<>();
    private int callsToGo;
    private volatile boolean isHit;

    InjectedFault(Fault fault, Status shown, int call, Consumer<InjectedFault> disarm) {
        this.fault = fault;
        this.shown = shown;
        this.callsToGo = call;
        this.disarm = disarm;
    }

    Fault fault() {
        return fault;
    }

    /** Returns the status that the client receives. */
    Status shown() {
        return shown;
    }

    /** Completes when the fault ends. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Completed when the store has answered the call, or will never receive it. */
    CompletableFuture<Void> executed() {
        return executed;
    }

    /**
     * Counts a call. Hits it if it is the chosen one and no other fault has hit it. Guarded by the lock of the faults.
     */
    boolean tryHit(boolean isFree) {
        if (isFree && callsToGo == 1) {
            isHit = true;
        } else {
            callsToGo = Math.max(1, callsToGo - 1);
        }
        return isHit;
    }

    /** Returns whether the fault has hit its call. */
    public boolean isHit() {
        return isHit;
    }

    /** Ends the fault: a held call proceeds, and a fault that still waits for its call is withdrawn. */
    void release() {
        disarm.accept(this);
        ended.complete(null);
    }

    /**
     * Ends the fault. If it has hit a call that reaches the store, waits up to a minute until the store has executed
     * it.
     *
     * @throws IllegalStateException if the store has not executed it by then
     */
    @Override
    public void close() {
        release();
        if (!isHit) {
            return;
        }
        try {
            executed.get(1, TimeUnit.MINUTES);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the store has not executed the call with " + fault + " in a minute", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the store executed the call with " + fault, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the call with " + fault + " could not be sent", e.getCause());
        }
    }
}
