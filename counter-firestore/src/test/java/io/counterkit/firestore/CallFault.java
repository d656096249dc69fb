package io.counterkit.firestore;

import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A fault that waits for its call, or has met it. Thread-safe; the countdown belongs to {@link CallFaults}. */
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

    /** What the client sees in place of what was disturbed. */
    Status shown() {
        return shown;
    }

    /** Done when the fault ends. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** To be completed once the store has answered the call that met the fault, or will never see it. */
    CompletableFuture<Void> carriedOut() {
        return carriedOut;
    }

    /** Whether the next call is the one. */
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

    /** A call that met the fault is carried out before this returns, unless the fault is that the store never sees it. */
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
