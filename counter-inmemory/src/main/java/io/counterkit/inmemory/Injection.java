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
    private int hit;
    private boolean ended;

    Injection(Fault fault, Calls calls, Runnable onEnd) {
        this.fault = fault;
        this.calls = calls;
        this.onEnd = onEnd;
    }

    /** How many calls were hit so far. */
    public synchronized int hits() {
        return hit;
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

    /** Counts a call, and tells whether it may be hit: it is one of those that are meant, and enough have passed. */
    synchronized boolean isInTurn(Collection<String> names) {
        if (isSpent() || !calls.concern(names)) {
            return false;
        }
        if (passed < calls.skip()) {
            passed++;
            return false;
        }
        return true;
    }

    /** Hits a call that is in turn, if chance has it. */
    synchronized boolean isHitting() {
        if (isSpent() || (calls.chance() < 1 && calls.random().nextDouble() >= calls.chance())) {
            return false;
        }
        hit++;
        return true;
    }

    /** Whether it will hit no more calls. */
    synchronized boolean isSpent() {
        return ended || hit >= calls.times();
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
