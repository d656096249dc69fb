package io.counterkit.firestore;

import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A fault that is armed for a call, or has hit it. Thread-safe; {@link CallFaults} guards the countdown. */
public final class CallFault implements FaultInjector.InjectedFault {
    private final StoreFault fault;
    private final Status shown;
    private final Consumer<CallFault> disarm;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<Void> carriedOut = new CompletableFuture<>();
    private int callsToGo;
    private volatile boolean hit;

    CallFault(StoreFault fault, Status shown, int call, Consumer<CallFault> disarm) {
        this.fault = fault;
        this.shown = shown;
        this.callsToGo = call;
        this.disarm = disarm;
    }

    StoreFault fault() {
        return fault;
    }

    /** Returns the status that the client receives. */
    Status shown() {
        return shown;
    }

    /** Returns a future that completes when the fault is closed. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Returns a future to complete when the store has answered the call, or will never receive it. */
    CompletableFuture<Void> carriedOut() {
        return carriedOut;
    }

    /** Returns whether the next call is the one to hit. */
    boolean isDue() {
        return callsToGo == 1;
    }

    void countDown() {
        callsToGo = Math.max(1, callsToGo - 1);
    }

    void meet() {
        hit = true;
    }

    @Override
    public boolean isHit() {
        return hit;
    }

    /** Ends the fault. Before this returns, the store has executed a call that was hit, unless it never receives it. */
    @Override
    public void close() {
        disarm.accept(this);
        ended.complete(null);
        if (!hit) {
            return;
        }
        try {
            carriedOut.get(60, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("the call that met " + fault + " has not been carried out in a minute", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the call that met " + fault + " was carried out", e);
        } catch (ExecutionException e) {
            throw new AssertionError("the call that met " + fault + " could not be carried out", e.getCause());
        }
    }
}
