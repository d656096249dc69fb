package io.counterkit.inmemory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A fault that was injected. Thread-safe. */
public final class Injection {
    private final Fault fault;
    private final Calls calls;
    private final Runnable onEnd;
    private final List<CompletableFuture<Void>> held = new ArrayList<>();
    private int passed;
    private int hits;
    private boolean ended;

    Injection(Fault fault, Calls calls, Runnable onEnd) {
        this.fault = fault;
        this.calls = calls;
        this.onEnd = onEnd;
    }

    /** How many calls were hit so far. */
    public synchronized int hits() {
        return hits;
    }

    /** Hits no more calls, and carries out those that were held, on this thread. Does nothing the second time. */
    public void release() {
        List<CompletableFuture<Void>> released;
        synchronized (this) {
            ended = true;
            released = List.copyOf(held);
            held.clear();
        }
        onEnd.run();
        released.forEach(call -> call.complete(null));
    }

    Fault fault() {
        return fault;
    }

    /** Whether this call is hit; it counts then. */
    synchronized boolean hits(Collection<String> names) {
        if (ended || hits >= calls.times() || !calls.concern(names) || passed++ < calls.skip()) {
            return false;
        }
        if (calls.chance() < 1 && calls.random().nextDouble() >= calls.chance()) {
            return false;
        }
        hits++;
        return true;
    }

    /** Whether it will hit no more calls. */
    synchronized boolean isSpent() {
        return ended || hits >= calls.times();
    }

    /** Done once released. */
    synchronized CompletableFuture<Void> hold() {
        CompletableFuture<Void> released = new CompletableFuture<>();
        if (ended) {
            released.complete(null);
        } else {
            held.add(released);
        }
        return released;
    }
}
