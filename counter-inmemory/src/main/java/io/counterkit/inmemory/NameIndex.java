package io.counterkit.inmemory;

import io.counterkit.NamePage;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The names that are present, in their natural order, so that a page costs what it holds. It is made when names are
 * first listed: a store whose names are never listed pays nothing for it. Thread-safe.
 */
final class NameIndex {
    private final StampedLock making = new StampedLock();
    private final Runnable addAll;

    /** Null until it is needed; complete once {@link #isComplete}. */
    private volatile @Nullable NavigableSet<String> names;

    private boolean isComplete;

    /**
     * @param addAll calls {@link #add} for all names that are present, each under the lock under which it would become
     *     absent
     */
    NameIndex(Runnable addAll) {
        this.addAll = addAll;
    }

    /** Takes note of a name that becomes present, before anybody can see it, and under the lock of the name. */
    void add(String name) {
        NavigableSet<String> known = names;
        if (known != null) {
            known.add(name);
        }
    }

    /** Takes note of a name that becomes absent, under the lock of the name. */
    void remove(String name) {
        NavigableSet<String> known = names;
        if (known != null) {
            known.remove(name);
        }
    }

    /** Carries out what puts a name where {@code addAll} looks for it, and calls {@link #add} within. */
    <T> T creating(Supplier<T> creation) {
        if (names != null) {
            return creation.get();
        }
        long stamp = making.readLock();
        try {
            return creation.get();
        } finally {
            making.unlockRead(stamp);
        }
    }

    /** One page; the cursor is the last name of the page before. */
    NamePage page(String prefix, @Nullable String cursor, int limit) {
        boolean isFirst = cursor == null || cursor.compareTo(prefix) < 0;
        NavigableSet<String> following =
                isFirst ? complete().tailSet(prefix, true) : complete().tailSet(cursor, false);
        List<String> page = new ArrayList<>();
        for (String name : following) {
            if (!name.startsWith(prefix)) {
                break;
            }
            if (page.size() == limit) {
                return new NamePage(page, page.get(limit - 1));
            }
            page.add(name);
        }
        return new NamePage(page, null);
    }

    /** All names that start with {@code prefix}. */
    List<String> withPrefix(String prefix) {
        return complete().tailSet(prefix, true).stream()
                .takeWhile(name -> name.startsWith(prefix))
                .toList();
    }

    private synchronized NavigableSet<String> complete() {
        NavigableSet<String> known = names;
        if (known == null) {
            known = new ConcurrentSkipListSet<>();
            long stamp = making.writeLock(); // what is created unnoticed is in its place before the names are collected
            names = known;
            making.unlockWrite(stamp);
        }
        if (!isComplete) {
            addAll.run();
            isComplete = true;
        }
        return known;
    }
}
