package io.counterkit.internal.batch;

import io.counterkit.Entry;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.SequenceStore;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Combines the requests of many callers into batches. Has one queue per name, with one batch in flight each, or one
 * queue for all adds of a store, with several batches in flight. Thread-safe.
 */
public final class Combiner<C extends PendingChange<R>, R> {
    private final BatchLimits limits;
    private final LongFunction<Batch<C, R>> batches;
    private final PendingRequests pending;

    /** The queues by name; empty if there is one for all names. */
    private final ConcurrentMap<String, RequestQueue<C, R>> queues = new ConcurrentHashMap<>();

    private final @Nullable RequestQueue<C, R> queueOfAll;

    private Combiner(BatchLimits limits, LongFunction<Batch<C, R>> batches, PendingRequests pending) {
        this.limits = limits;
        this.batches = batches;
        this.pending = pending;
        this.queueOfAll = limits.onePerName() ? null : open(() -> {});
    }

    /**
     * Creates the combiner of a store's adds.
     *
     * @param commits creates a commit that has this many nanoseconds
     */
    public static Combiner<PendingAdd, Void> adds(
            CounterBackend backend, PendingRequests pending, LongFunction<Commit> commits) {
        CounterStore store = backend.counters();
        BatchLimits limits =
                Objects.requireNonNull(store.limits(), "the backend returned null for the limits() of its counters");
        return new Combiner<>(
                limits, nanos -> new AddBatch(backend, store, limits.maxWeight(), commits.apply(nanos)), pending);
    }

    /**
     * Creates the combiner of a store's appends.
     *
     * @param commits creates a commit that has this many nanoseconds
     */
    public static Combiner<PendingAppend, Entry> appends(
            CounterBackend backend, PendingRequests pending, LongFunction<Commit> commits) {
        SequenceStore store = backend.sequences();
        BatchLimits limits =
                Objects.requireNonNull(store.limits(), "the backend returned null for the limits() of its sequences");
        return new Combiner<>(
                limits.withOnePerName(),
                nanos -> new AppendBatch(backend, store, limits.maxWeight(), commits.apply(nanos)),
                pending);
    }

    /** Returns whether the backend wants each request immediately and alone, so that nothing is combined here. */
    public boolean isDirect() {
        return limits.direct();
    }

    /**
     * Returns whether a request for {@code name} is queued or in flight, and could be overtaken by one that is sent
     * now.
     */
    public boolean isBusy(String name) {
        return queues.containsKey(name);
    }

    /** Makes requests for {@code name} wait for one that was sent directly. */
    public void waitFor(CompletableFuture<?> sent, String name) {
        RequestQueue<C, R> queue = inQueue(name, RequestQueue::occupy);
        CompletableFuture<?> unused = sent.whenComplete((answer, failure) -> queue.vacate());
    }

    /**
     * Submits a request and returns it. If the request is refused, its reply fails.
     *
     * @param blocks whether the calling thread waits for the reply, so that it can lead for others
     */
    public C submit(C request, boolean blocks) {
        if (!pending.tryAdmit(request)) {
            return request;
        }
        if (blocks) {
            request.registerCaller();
        }
        if (queueOfAll == null) {
            inQueue(request.target().name(), queue -> queue.enqueue(request)).run(request);
        } else {
            queueOfAll.enqueue(request);
            queueOfAll.run(request);
        }
        if (!blocks) {
            CompletableFuture<?> unused = request.reply().whenComplete((value, failure) -> request.drop());
        }
        return request;
    }

    /** Applies {@code use}, which makes the queue of a name busy. The queue is not removed meanwhile. */
    private RequestQueue<C, R> inQueue(String name, Consumer<RequestQueue<C, R>> use) {
        return queues.compute(name, (same, found) -> {
            RequestQueue<C, R> queue = found != null ? found : open(() -> removeIfIdle(name));
            use.accept(queue);
            return queue;
        });
    }

    private RequestQueue<C, R> open(Runnable whenQuiet) {
        return limits.callerRuns() && !limits.direct()
                ? new CallerRunsQueue<>(batches, pending, whenQuiet)
                : new InFlightQueue<>(
                        limits.onePerName() ? 1 : limits.maxInFlight(),
                        limits.disjoint() && !limits.onePerName(),
                        batches,
                        pending,
                        whenQuiet);
    }

    /** Removes an idle queue, so that a name that is used once takes up no memory. */
    private void removeIfIdle(String name) {
        queues.computeIfPresent(name, (same, queue) -> queue.isIdle() ? null : queue);
    }
}
