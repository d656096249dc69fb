package io.counterkit.benchmarks.firestore;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Write;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Models what the emulator lacks: each call takes a round trip, and commits to one document run one after another at a
 * fixed rate. Also sums the cost of the calls at list prices. The live service accepts bursts, balances load, and
 * fails where this model waits. Thread-safe.
 */
final class ServiceModel implements ClientInterceptor {
    /** The number of documents above which those without a pending commit are removed. */
    private static final int MOST_REMEMBERED = 100_000;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "service-model");
        thread.setDaemon(true);
        return thread;
    });

    private final long roundTripNanos;
    private final long commitNanos;
    private final Prices prices;
    private final Bill bill = new Bill();
    private final Map<String, Long> freeAt = new HashMap<>();
    private volatile boolean isTransparent;

    /**
     * Creates a model.
     *
     * @param roundTrip the time that each call takes in addition; may be zero
     * @param commitsPerSecond the most commits to one document; {@code Double.POSITIVE_INFINITY} for no limit
     */
    ServiceModel(Duration roundTrip, double commitsPerSecond, Prices prices) {
        this.prices = prices;
        this.roundTripNanos = roundTrip.toNanos();
        this.commitNanos = (long) (1e9 / commitsPerSecond);
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        ClientCall<Q, R> call = bill.interceptCall(method, options, next);
        return method.getType().clientSendsOneMessage() && !isTransparent ? new SlowCall<>(call) : call;
    }

    /** Sets whether calls pass without delay, as for preparations that are not measured. Initially false. */
    void setTransparent(boolean transparent) {
        isTransparent = transparent;
    }

    /** Returns the cost of the calls since the last call of this method, which made {@code adds} adds. */
    Cost takeCost(long adds) {
        return new Cost(adds, bill.take(), prices);
    }

    /** Reserves all documents of a commit and returns how long it has to wait for them, in nanoseconds. */
    private synchronized long reserve(CommitRequest commit) {
        long now = System.nanoTime();
        long start = now;
        for (Write write : commit.getWritesList()) {
            start = Math.max(start, freeAt.getOrDefault(document(write), now));
        }
        for (Write write : commit.getWritesList()) {
            freeAt.put(document(write), start + commitNanos);
        }
        if (freeAt.size() > MOST_REMEMBERED) {
            freeAt.values().removeIf(moment -> moment < now);
        }
        return start - now;
    }

    private static String document(Write write) {
        return write.hasDelete() ? write.getDelete() : write.getUpdate().getName();
    }

    /** A call that reaches the store after its delay. */
    private final class SlowCall<Q, R> extends SimpleForwardingClientCall<Q, R> {
        private long wait = roundTripNanos;

        SlowCall(ClientCall<Q, R> call) {
            super(call);
        }

        @Override
        public void sendMessage(Q message) {
            if (message instanceof CommitRequest commit) {
                wait += reserve(commit);
            }
            super.sendMessage(message);
        }

        @Override
        public void halfClose() {
            Future<?> unused = clock.schedule(super::halfClose, wait, TimeUnit.NANOSECONDS);
        }
    }
}
