package io.counterkit.internal.batch;

import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.SequenceStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Combines the requests of many callers into batches: adds of a whole store in one lane with several batches on their
 * way, or each name in a lane of its own with one. Thread-safe.
 */
public final class Combiner<W extends PendingRequest<R>, R> {
    private static final String WHOLE_STORE = "";

    private final BatchLimits limits;
    private final Function<W, String> laneOf;
    private final int maxInFlight;
    private final LongFunction<Batch<W, R>> batches;
    private final PendingRequests outstanding;
    private final CountersListener listener;
    private final ConcurrentMap<String, RequestQueue<W, R>> lanes = new ConcurrentHashMap<>();

    private Combiner(
            BatchLimits limits,
            Function<W, String> laneOf,
            int maxInFlight,
            LongFunction<Batch<W, R>> batches,
            PendingRequests outstanding,
            CountersListener listener) {
        this.limits = limits;
        this.laneOf = laneOf;
        this.maxInFlight = maxInFlight;
        this.batches = batches;
        this.outstanding = outstanding;
        this.listener = listener;
    }

    /** The adds of a store. */
    public static Combiner<PendingAdd, Void> adds(
            CounterStore store,
            Resolver resolver,
            PendingRequests outstanding,
            CountersListener listener,
            LongFunction<Commit> commits) {
        BatchLimits limits = store.limits();
        return new Combiner<>(
                limits,
                limits.onePerName() ? add -> add.name : add -> WHOLE_STORE,
                limits.onePerName() ? 1 : limits.maxInFlight(),
                nanos -> new AddBatch(store, resolver, limits.maxWeight(), started(commits.apply(nanos))),
                outstanding,
                listener);
    }

    /** The appends of a store. */
    public static Combiner<PendingAppend, Entry> appends(
            SequenceStore store,
            Resolver resolver,
            PendingRequests outstanding,
            CountersListener listener,
            LongFunction<Commit> commits) {
        BatchLimits limits = store.limits();
        return new Combiner<>(
                limits,
                append -> append.sequence,
                1,
                nanos -> new AppendBatch(store, resolver, limits.maxWeight(), started(commits.apply(nanos))),
                outstanding,
                listener);
    }

    /** Whether the backend wants each request at once and alone, so that nothing is to be combined here. */
    public boolean isDirect() {
        return limits.direct();
    }

    /** Whether a request for {@code key} is on its way or waits, so that one that was sent now could pass it. */
    public boolean isBusy(String key) {
        return lanes.containsKey(key);
    }

    /** Lets what is submitted for {@code key} wait for a request that was sent by itself. */
    public void waitFor(CompletableFuture<?> sent, String key) {
        RequestQueue<W, R> lane = lanes.compute(key, (same, open) -> {
            RequestQueue<W, R> used = open != null ? open : newLane(key);
            used.occupy();
            return used;
        });
        CompletableFuture<?> unused = sent.whenComplete((answer, failure) -> lane.vacate());
    }

    private static Commit started(Commit commit) {
        commit.start();
        return commit;
    }

    /** Accepts a request; its reply tells the rest, a refusal too. */
    public CompletableFuture<R> submit(W waiter) {
        if (admit(waiter)) {
            start(waiter);
            CompletableFuture<?> unused = waiter.reply().whenComplete((value, failure) -> waiter.drop());
        }
        return waiter.reply();
    }

    /** Accepts a request and blocks until it is answered. */
    public R submitAndWait(W waiter) {
        if (!admit(waiter)) {
            return waiter.await();
        }
        waiter.block();
        RequestQueue<W, R> lane = start(waiter);
        return waiter.await(() -> lane.lead(waiter));
    }

    private boolean admit(W waiter) {
        boolean admitted = outstanding.admit(waiter);
        if (!admitted) {
            listener.onQueueFull(waiter.what());
            waiter.settle(null, outstanding.queueFull(waiter.what()));
        }
        return admitted;
    }

    private RequestQueue<W, R> start(W waiter) {
        RequestQueue<W, R> lane = lanes.compute(laneOf.apply(waiter), (key, open) -> {
            RequestQueue<W, R> used = open != null ? open : newLane(key);
            used.enqueue(waiter);
            return used;
        });
        lane.run(waiter);
        return lane;
    }

    private RequestQueue<W, R> newLane(String key) {
        return new RequestQueue<>(
                limits.callerRuns() && !limits.direct(), maxInFlight, batches, outstanding, listener, () -> close(key));
    }

    /** Forgets an idle lane, so that names which are used once cost nothing for ever. */
    private void close(String key) {
        lanes.computeIfPresent(key, (name, lane) -> lane.isIdle() ? null : lane);
    }
}
