package io.counterkit.firestore.internal.read;

import io.counterkit.Watch;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.CounterStore.Sink;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The watched counters of this process. A counter keeps its listener for a while after its last watch, since opening and
 * closing listeners costs the store more than keeping them. Thread-safe.
 */
public final class CounterWatches {
    private final FirestoreSchema schema;
    private final CounterReads reads;
    private final Map<String, CounterWatch> watched = new HashMap<>();

    /** The counters without a watch, in the order in which they lost it, each with the number of that event. */
    private final Map<String, Long> unwatched = new LinkedHashMap<>();

    private long events;

    public CounterWatches(FirestoreSchema schema, CounterReads reads) {
        this.schema = schema;
        this.reads = reads;
    }

    public synchronized Watch watch(String name, Duration cadence, Sink sink) {
        CounterWatch.Watcher watcher = new CounterWatch.Watcher(cadence, sink);
        unwatched.remove(name);
        if (!watched.containsKey(name) && schema.listeners().availablePermits() == 0 && !unwatched.isEmpty()) {
            end(unwatched.keySet().iterator().next());
        }
        watched.computeIfAbsent(name, unwatched -> new CounterWatch(name, schema, reads))
                .join(watcher);
        return () -> leave(name, watcher);
    }

    /** Ends one watch. Does nothing if it has ended. */
    private synchronized void leave(String name, CounterWatch.Watcher watcher) {
        CounterWatch watch = watched.get(name);
        if (watch != null && watch.leave(watcher)) {
            long event = ++events;
            unwatched.remove(name); // to the end of the order
            unwatched.put(name, event);
            CompletableFuture<?> unused = schema.client()
                    .timer(schema.options().listenerLinger().toNanos(), () -> endIfUnwatchedSince(event, name));
        }
    }

    private synchronized void endIfUnwatchedSince(long event, String name) {
        if (Long.valueOf(event).equals(unwatched.get(name))) {
            end(name);
        }
    }

    private void end(String name) {
        unwatched.remove(name);
        CounterWatch watch = watched.remove(name);
        if (watch != null) {
            watch.end();
        }
    }

    /** Ends all watches. */
    public synchronized void close() {
        watched.values().forEach(CounterWatch::end);
        watched.clear();
        unwatched.clear();
    }
}
