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
 * <p>At most one fault hits a call: of those whose turn it is, the one that was injected first; the others wait for the
 * next such call. Each fault counts every call that it is for, whichever fault hits it. Thread-safe.
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

    /** The injection that hits a call concerning these names, or null. Every other one counts the call too. */
    @Nullable Injection hitting(Collection<String> names) {
        Injection hitting = null;
        synchronized (injections) { // so that all count the calls in the same order
            for (Injection injection : injections) {
                boolean isInTurn = injection.isInTurn(names);
                if (isInTurn && hitting == null && injection.isHitting()) {
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
