package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One run of an operation with a fault at one of its calls to the store. */
public final class Trial implements AutoCloseable {
    private final String label;
    private final InjectedFault injected;

    public Trial(StoreFault fault, int call, InjectedFault injected) {
        this.label = fault + " at call " + call;
        this.injected = injected;
    }

    /**
     * Waits briefly until the operation makes the call with the fault or is done. Ends the fault if it has hit no call
     * by then, and returns whether it has.
     */
    public boolean awaitHit(BooleanSupplier isDone) {
        ConcurrentTasks.awaitBriefly(() -> isHit() || isDone.getAsBoolean());
        return endUnlessHit();
    }

    /** Returns whether the operation made the call with the fault. */
    public boolean isHit() {
        return injected.isHit();
    }

    /** Ends the fault, so that it hits no later call. A held call is carried out. */
    @Override
    public void close() {
        injected.close();
    }

    /** Makes a change and ends the fault; if the change failed, makes it again. */
    public void applyOrRepeat(Supplier<CompletableFuture<?>> change) {
        Throwable failure = catchThrowable(() -> change.get().join());
        close();
        if (failure != null) {
            change.get().join();
        }
    }

    /**
     * Ends the fault if it has hit no call yet, so that it does not hit a call of what checks the operation. Returns
     * whether it has hit one.
     */
    public boolean endUnlessHit() {
        boolean isHit = isHit();
        if (!isHit) {
            close();
        }
        return isHit;
    }

    /** Returns the description of this trial with the reported outcome. */
    public String reported(boolean applied) {
        return label + (applied ? ", reported as applied" : ", reported as not applied");
    }

    @Override
    public String toString() {
        return label;
    }
}
