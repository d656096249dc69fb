package io.counterkit.inmemory;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong between a backend and the store, for tests of how an application copes.
 *
 * <pre>{@code
 * store.faults().inject(Fault.LOSE_REPLY, Calls.next("posts/42/likes"));
 * }</pre>
 *
 * <p>Faults injected first are asked first; at most one hits a call. Thread-safe.
 */
public final class Faults {
    private final List<Injection> injections = new CopyOnWriteArrayList<>();
    private volatile boolean quiet = true;

    Faults() {}

    /** From now on lets {@code fault} happen to those calls. */
    public Injection inject(Fault fault, Calls calls) {
        Injection[] self = new Injection[1];
        self[0] = new Injection(fault, calls, () -> remove(self[0]));
        synchronized (injections) {
            injections.add(self[0]);
            quiet = false;
        }
        return self[0];
    }

    /** Ends every fault, and carries out what is held. */
    public void clear() {
        injections.forEach(Injection::release);
    }

    /** Takes an injection that hits no more calls off the way of those that follow. */
    private void remove(Injection injection) {
        synchronized (injections) {
            injections.remove(injection);
            quiet = injections.isEmpty();
        }
    }

    boolean isQuiet() {
        return quiet;
    }

    /** The injection that hits a call concerning these names, or null. */
    @Nullable Injection hitting(Collection<String> names) {
        for (Injection injection : injections) {
            if (injection.hits(names)) {
                if (injection.isSpent() && injection.fault() != Fault.HOLD) {
                    remove(injection);
                }
                return injection;
            }
        }
        return null;
    }
}
