package io.counterkit.spi;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache of bounded size. When it is full, a new entry evicts the least recently used one. Thread-safe. One lock
 * guards it, so the functions that it calls must be short.
 */
public final class RecentlyUsed<K, V> {
    private final Map<K, V> entries;
    private final Consumer<? super V> evicted;

    /** Creates an empty cache of up to {@code most} entries. */
    public RecentlyUsed(int most) {
        this(most, value -> {});
    }

    /**
     * Creates an empty cache of up to {@code most} entries.
     *
     * @param evicted receives each value that a new entry or {@link #clear} evicts, to release what it holds; must not
     *     throw
     */
    public RecentlyUsed(int most, Consumer<? super V> evicted) {
        this.evicted = evicted;
        entries = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                boolean isFull = size() > most;
                if (isFull) {
                    evicted.accept(eldest.getValue());
                }
                return isFull;
            }
        };
    }

    /** Returns the value of a key and marks it as used, or returns null if there is none. */
    public synchronized @Nullable V get(K key) {
        return entries.get(key);
    }

    /** Returns the value of a key. If there is none, stores the value that {@code create} returns. */
    public synchronized V computeIfAbsent(K key, Function<K, V> create) {
        return entries.computeIfAbsent(key, create);
    }

    /** Sets the value of a key. */
    public synchronized void put(K key, V value) {
        entries.put(key, value);
    }

    /** Removes a key if it is present. */
    public synchronized void remove(K key) {
        entries.remove(key);
    }

    /** Evicts all entries. */
    public synchronized void clear() {
        entries.values().forEach(evicted);
        entries.clear();
    }
}
