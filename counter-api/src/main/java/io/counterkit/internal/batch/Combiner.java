package io.counterkit.internal.batch;

import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.SequenceStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Combines the requests of many callers into batches. Has one queue for the adds of a whole store, from which several
 * batches may be in flight, or one queue per name, from which one is. Thread-safe.
 */
public final class Combiner<W extends PendingChange<R>, R> {
    private static final String WHOLE_STORE = "";

    private final BatchLimits limits;
    private final Function<W, String> queueOf;
    private final int maxInFlight;
    private final LongFunction<Batch<W, R>> batches;
    private final PendingRequests pending;
    private final CountersListener listener;
    private final ConcurrentMap<String, RequestQueue<W, R>> queues = new ConcurrentHashMap<>();

    private Combiner(
            BatchLimits limits,
            Function<W, String> queueOf,
            int maxInFlight,
            LongFunction<Batch<W, R>> batches,
            PendingRequests pending,
            CountersListener listener) {
        this.limits = limits;
        this.queueOf = queueOf;
        this.maxInFlight = maxInFlight;
        this.batches = batches;
        this.pending = pending;
        this.listener = listener;
    }

    /**
     * Creates the combiner of a store's adds.
     *
     * @param commits creates a commit that has so many nanoseconds
     */
    public static Combiner<PendingAdd, Void> adds(
            CounterBackend backend, PendingRequests pending, CountersListener listener, LongFunction<Commit> commits) {
        CounterStore store = backend.counters();
        BatchLimits limits = store.limits();
        return new Combiner<>(
                limits,
                limits.onePerName() ? add -> add.request.name() : add -> WHOLE_STORE,
                limits.onePerName() ? 1 : limits.maxInFlight(),
                nanos -> new AddBatch(backend, store, limits.maxWeight(), commits.apply(nanos)),
                pending,
                listener);
    }

    /**
     * Creates the combiner of a store's appends.
     *
     * @param commits creates a commit that has so many nanoseconds
     */
    public static Combiner<PendingAppend, Entry> appends(
            CounterBackend backend, PendingRequests pending, CountersListener listener, LongFunction<Commit> commits) {
        SequenceStore store = backend.sequences();
        BatchLimits limits = store.limits();
        return new Combiner<>(
                limits,
                append -> append.sequence,
                1,
                nanos -> new AppendBatch(backend, store, limits.maxWeight(), commits.apply(nanos)),
                pending,
                listener);
    }

    /** Returns whether the backend wants each request at once and alone, so that nothing is combined here. */
    public boolean isDirect() {
        return limits.direct();
    }

    /** Returns whether a request for {@code name} is queued or in flight, so that one sent now could overtake it. */
    public boolean isBusy(String name) {
        return queues.containsKey(name);
    }

    /** Makes requests for {@code name} wait for one that was sent directly. */
    public void waitFor(CompletableFuture<?> sent, String name) {
        RequestQueue<W, R> queue = queues.compute(name, (same, open) -> {
            RequestQueue<W, R> used = open != null ? open : open(name);
            used.occupy();
            return used;
        });
        CompletableFuture<?> unused = sent.whenComplete((answer, failure) -> queue.vacate());
    }

    /**
     * Submits a request and returns it. Its reply reports a refusal too.
     *
     * @param blocks whether the calling thread waits for the reply, so that it can lead for others
     */
    public W submit(W request, boolean blocks) {
        if (!pending.admit(request)) {
            return request;
        }
        if (blocks) {
            request.block();
        }
        RequestQueue<W, R> queue = queues.compute(queueOf.apply(request), (name, open) -> {
            RequestQueue<W, R> used = open != null ? open : open(name);
            used.enqueue(request);
            return used;
        });
        queue.run(request);
        if (!blocks) {
            CompletableFuture<?> unused = request.reply().whenComplete((value, failure) -> request.drop());
        }
        return request;
    }

    private RequestQueue<W, R> open(String name) {
        Runnable whenQuiet = () -> closeIfIdle(name);
        return limits.callerRuns() && !limits.direct()
                ? new CallerRunsQueue<>(batches, pending, listener, whenQuiet)
                : new InFlightQueue<>(maxInFlight, batches, pending, listener, whenQuiet);
    }

    /** Removes an idle queue, so that a name that is used once takes up no memory. */
    private void closeIfIdle(String name) {
        queues.computeIfPresent(name, (same, queue) -> queue.isIdle() ? null : queue);
    }
}
