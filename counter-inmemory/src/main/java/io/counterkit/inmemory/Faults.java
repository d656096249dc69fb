package io.counterkit.inmemory;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Injects faults into the calls between a backend and its store, so that a test can check how an application handles
 * them.
 *
 * <pre>{@code
 * store.faults().inject(Fault.LOSE_REPLY, Calls.next("posts/42/likes"));
 * }</pre>
 *
 * <p>At most one fault hits a call. If several are due, the one that was injected first hits it, and the others wait
 * for the next such call. Each fault counts all of its {@link Calls}, including those that another fault hits.
 * Thread-safe.
 */
public final class Faults {
    private final List<Injection> injections = new CopyOnWriteArrayList<>();
    private volatile boolean isEmpty = true;

    Faults() {}

    /** Injects {@code fault} into {@code calls}. */
    public Injection inject(Fault fault, Calls calls) {
        Injection injection = new Injection(fault, calls, this::remove);
        synchronized (injections) {
            injections.add(injection);
            isEmpty = false;
        }
        return injection;
    }

    /** Releases every injection: no more calls are hit, and those that are held are made. */
    public void clear() {
        injections.forEach(Injection::release);
    }

    private void remove(Injection injection) {
        synchronized (injections) {
            injections.remove(injection);
            isEmpty = injections.isEmpty();
        }
    }

    boolean isEmpty() {
        return isEmpty;
    }

    /** Counts a call that concerns these names, and returns the injection that hits it or null. */
    @Nullable Injection nextHit(Collection<String> names) {
        Injection hitting = null;
        synchronized (injections) { // so that all injections count the calls in one order
            for (Injection injection : injections) {
                if (injection.tryCount(names) && hitting == null && injection.tryHit()) {
                    hitting = injection;
                }
            }
            if (hitting != null && hitting.isSpent() && hitting.fault() != Fault.HOLD) {
                remove(hitting);
            }
        }
        return hitting;
    }
}
