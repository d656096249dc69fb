package io.counterkit.inmemory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A fault that was injected. Thread-safe. */
public final class Injection {
    private final Fault fault;
    private final Calls calls;
    private final Consumer<Injection> onRelease;
    private final List<CompletableFuture<Void>> held = new ArrayList<>();
    private int skipped;
    private int hits;
    private boolean isReleased;

    Injection(Fault fault, Calls calls, Consumer<Injection> onRelease) {
        this.fault = fault;
        this.calls = calls;
        this.onRelease = onRelease;
    }

    /** Returns how many calls were hit so far. */
    public synchronized int hits() {
        return hits;
    }

    /** Ends the injection: no more calls are hit, and this thread makes the calls that are held. Idempotent. */
    public void release() {
        List<CompletableFuture<Void>> released;
        synchronized (this) {
            isReleased = true;
            released = List.copyOf(held);
            held.clear();
        }
        onRelease.accept(this);
        released.forEach(call -> call.complete(null));
    }

    Fault fault() {
        return fault;
    }

    /** Counts a call if {@link Calls} includes it. Returns whether the call may be hit. */
    synchronized boolean tryCount(Collection<String> names) {
        if (isSpent() || !calls.concern(names)) {
            return false;
        }
        if (skipped < calls.skip()) {
            skipped++;
            return false;
        }
        return true;
    }

    /** Hits a counted call with the given chance. Returns whether it was hit. */
    synchronized boolean tryHit() {
        if (isSpent() || (calls.chance() < 1 && calls.random().nextDouble() >= calls.chance())) {
            return false;
        }
        hits++;
        return true;
    }

    /** Returns whether no more calls are hit. */
    synchronized boolean isSpent() {
        return isReleased || hits >= calls.times();
    }

    /** Returns a future that completes on release. */
    synchronized CompletableFuture<Void> hold() {
        CompletableFuture<Void> released = new CompletableFuture<>();
        if (isReleased) {
            released.complete(null);
        } else {
            held.add(released);
        }
        return released;
    }
}
