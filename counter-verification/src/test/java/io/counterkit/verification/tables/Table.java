package io.counterkit.verification.tables;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A table with a primary key. Its changes can be rolled back. The caller holds the lock of the {@link Tables}. */
final class Table<V> {
    final TreeMap<String, V> rows = new TreeMap<>();

    @Nullable V get(String key) {
        return rows.get(key);
    }

    void put(Undo undo, String key, @Nullable V row) {
        V before = row == null ? rows.remove(key) : rows.put(key, row);
        undo.steps.push(() -> {
            if (before == null) {
                rows.remove(key);
            } else {
                rows.put(key, before);
            }
        });
    }

    /** The changes of one transaction. */
    static final class Undo {
        private final Deque<Runnable> steps = new ArrayDeque<>();

        void rollback() {
            steps.forEach(Runnable::run);
            steps.clear();
        }
    }
}
