package io.counterkit.inmemory.internal.store;

import io.counterkit.NamePage;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counters, or the sequences, by name. The first listing sorts the names, which then stay sorted. So the cost of a
 * page depends on its size only, and a store that is never listed has no cost. Thread-safe.
 */
public final class NameTable<T extends StoredName> {
    private final ConcurrentMap<String, T> byName = new ConcurrentHashMap<>();
    private final BiFunction<String, NameTable<?>, T> create;

    /** The names that are listed; null until the first listing. */
    private volatile @Nullable NavigableSet<String> listed;

    private boolean isComplete;

    NameTable(BiFunction<String, NameTable<?>, T> create) {
        this.create = create;
    }

    /** Returns the counter or sequence of this name. Creates an empty one if there is none. */
    public T get(String name) {
        T found = byName.get(name);
        return found != null ? found : byName.computeIfAbsent(name, absent -> create.apply(absent, this));
    }

    /** Returns the counter or sequence of this name, or null if it was never used. */
    public @Nullable T find(String name) {
        return byName.get(name);
    }

    /**
     * Adds a name to the listing or removes it. Called under the lock of the counter or sequence. If nothing is listed
     * yet, the first listing waits for that lock.
     */
    void setListed(String name, boolean isListed) {
        NavigableSet<String> names = listed;
        if (names != null && isListed) {
            names.add(name);
        } else if (names != null) {
            names.remove(name);
        }
    }

    /** Returns one page of names; the cursor is the last name of the previous page. */
    public NamePage page(String prefix, @Nullable String cursor, int limit) {
        Limits.checkCursor(cursor);
        List<String> names = (cursor == null || cursor.compareTo(prefix) < 0
                        ? names(prefix)
                        : names(prefix, cursor, false))
                .limit(limit + 1L)
                .toList();
        return names.size() <= limit
                ? new NamePage(names, null)
                : new NamePage(names.subList(0, limit), names.get(limit - 1));
    }

    /** Returns all names that start with {@code prefix}, in their natural order. */
    public Stream<String> names(String prefix) {
        return names(prefix, prefix, true);
    }

    private Stream<String> names(String prefix, String from, boolean isInclusive) {
        return listed().tailSet(from, isInclusive).stream().takeWhile(name -> name.startsWith(prefix));
    }

    private synchronized NavigableSet<String> listed() {
        NavigableSet<String> names = listed;
        if (names == null) {
            names = new ConcurrentSkipListSet<>();
            listed = names; // changes are recorded from now on
        }
        if (!isComplete) {
            byName.values().forEach(StoredName::updateListing);
            isComplete = true;
        }
        return names;
    }
}
