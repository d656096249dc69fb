package io.counterkit.firestore.internal.read;

import io.counterkit.Watch;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.CounterStore.Sink;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** The counters of this process that are watched. Thread-safe. */
public final class CounterWatches {
    /**
     * Each listener holds a call for as long as it lives, of the hundred that a channel carries; adds and reads need
     * theirs. Google advises less than a hundred listeners a client. What is watched beyond that is not listened to.
     */
    private static final int MOST_LISTENERS = 40;

    private final FirestoreSchema schema;
    private final CounterReads reads;
    private final Semaphore listeners = new Semaphore(MOST_LISTENERS);
    private final Map<String, CounterWatch> watched = new HashMap<>();

    public CounterWatches(FirestoreSchema schema, CounterReads reads) {
        this.schema = schema;
        this.reads = reads;
    }

    public synchronized Watch watch(String name, Duration cadence, Sink sink) {
        CounterWatch.Watcher watcher = new CounterWatch.Watcher(cadence, sink);
        watched.computeIfAbsent(name, unwatched -> new CounterWatch(name, schema, reads, listeners))
                .join(watcher);
        return () -> leave(name, watcher);
    }

    /** The second time it does nothing: each watcher is one object. */
    private synchronized void leave(String name, CounterWatch.Watcher watcher) {
        CounterWatch watch = watched.get(name);
        if (watch != null && watch.leave(watcher)) {
            watched.remove(name);
        }
    }

    /** Ends all watches, if their owners have not. */
    public synchronized void close() {
        watched.values().forEach(CounterWatch::end);
        watched.clear();
    }
}
