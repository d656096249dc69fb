package io.counterkit.verification.broken.flaw;

import io.counterkit.spi.Listening;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The listeners of all processes to counters or to sequences, by name. */
public final class Listeners {
    /** How a store listens to a name. */
    public interface Way {
        Listening listen(Listeners all, String name, Runnable changed);
    }

    private final Map<String, List<Runnable>> ofNames = new ConcurrentHashMap<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();

    /** Returns the listeners of a name, which can be changed. */
    public List<Runnable> of(String name) {
        return ofNames.computeIfAbsent(name, none -> new CopyOnWriteArrayList<>());
    }

    /** Calls the listeners of a name. */
    public void report(String name) {
        of(name).forEach(Runnable::run);
    }

    /** Removes the listeners of all names. */
    public void clear() {
        ofNames.clear();
    }

    /** Adds a listener, which is removed when the returned one is closed. */
    public Listening listen(String name, Runnable changed) {
        if (refused.contains(name)) {
            throw new IllegalStateException("'" + name + "' does not change");
        }
        of(name).add(changed);
        return new LiveListening(() -> of(name).remove(changed));
    }

    /** The same, but with a flaw: the listener is called only after this time. */
    public Listening listenLate(String name, Runnable changed, Duration delay) {
        AtomicBoolean isOpen = new AtomicBoolean(true);
        after(delay, () -> {
            if (isOpen.get()) {
                of(name).add(changed);
            }
        });
        return new LiveListening(() -> {
            isOpen.set(false);
            of(name).remove(changed);
        });
    }

    /** The same, but with a flaw: the listener is called only during a second. */
    public Listening listenForASecond(String name, Runnable changed) {
        Listening listening = listen(name, changed);
        after(Duration.ofSeconds(1), listening::close);
        return listening;
    }

    /** The same, but with a flaw: the listener is called only for a name without capital letters. */
    public Listening listenBySmallLetters(String name, Runnable changed) {
        return listen(name.toLowerCase(Locale.ROOT), changed);
    }

    private static void after(Duration delay, Runnable task) {
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                .execute(task);
    }

    /** Lets further calls of {@link #listen} for this name fail. */
    public void refuse(String name) {
        refused.add(name);
    }

    /** The same, but with a flaw: closing it again removes another listener of the name. */
    public Listening listenByCount(String name, Runnable changed) {
        of(name).add(changed);
        return new LiveListening(() -> {
            if (!of(name).remove(changed) && !of(name).isEmpty()) {
                of(name).remove(0);
            }
        });
    }
}
