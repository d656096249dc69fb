package io.counterkit.firestore.internal.client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The counters or the sequences that this process listens to, by name. All users of a name share one {@link Shared},
 * which is kept for a while after its last user. Thread-safe.
 */
public final class SharedListeners<U, L extends SharedListeners.Shared<U>> {
    private final ListenerPool pool;
    private final Function<String, L> create;
    private final Map<String, L> listened = new ConcurrentHashMap<>();

    /** Listens on behalf of the users of one name. */
    public interface Shared<U> {
        void join(U user);

        /** Removes a user, and returns whether it was the last one. Returns false if it was removed before. */
        boolean leave(U user);

        /** Removes all users, and stops listening. */
        void end();
    }

    public SharedListeners(FirestoreSchema schema, Function<String, L> create) {
        this.pool = schema.listeners();
        this.create = create;
    }

    public L join(String name, U user) {
        synchronized (pool) {
            L shared = listened.get(name);
            if (shared == null) {
                pool.makeRoom();
                shared = create.apply(name);
                listened.put(name, shared);
            }
            pool.setUsed(shared);
            shared.join(user);
            return shared;
        }
    }

    /** Removes a user. Does nothing if it was removed before. */
    public void leave(String name, U user) {
        synchronized (pool) {
            L shared = listened.get(name);
            if (shared != null && shared.leave(user)) {
                pool.setUnused(shared, () -> {
                    listened.remove(name, shared);
                    shared.end();
                });
            }
        }
    }

    /** Returns the listener of a name, or null if there is none. */
    public @Nullable L get(String name) {
        return listened.get(name);
    }

    /** Removes all users of all names, and stops listening. */
    public void close() {
        synchronized (pool) {
            listened.values().forEach(Shared::end);
            listened.clear();
        }
    }
}
