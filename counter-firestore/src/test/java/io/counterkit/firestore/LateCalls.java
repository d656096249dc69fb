package io.counterkit.firestore;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Makes commits late: the client sees {@code UNAVAILABLE} at once, and sends what it likes; the store receives the commit when
 * it is released. Thread-safe.
 */
final class LateCalls implements ClientInterceptor {
    private static final Executor SENDERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "late-calls");
        thread.setDaemon(true);
        return thread;
    });

    private final List<Runnable> held = new ArrayList<>();
    private final List<Runnable> onTheWay = new ArrayList<>();
    private @Nullable Random random;
    private double probability;
    private int next;
    private int count;

    /** Makes the next commit late. */
    synchronized void delayNext() {
        next++;
    }

    /** Makes commits late at random, until {@link #stop}. */
    synchronized void start(double share, long seed) {
        probability = share;
        random = new Random(seed);
    }

    /** Stops, and releases everything. */
    synchronized void stop() {
        random = null;
        release();
    }

    /** Sends the commits that are held. */
    synchronized void release() {
        onTheWay.addAll(held);
        held.forEach(SENDERS::execute);
        held.clear();
    }

    /** Returns how many commits were late and are answered by now. */
    synchronized boolean isQuiet() {
        return held.isEmpty() && onTheWay.isEmpty();
    }

    synchronized int count() {
        return count;
    }

    private synchronized boolean isLate(@Nullable String method) {
        boolean late = "Commit".equals(method) && (next > 0 || (random != null && random.nextDouble() < probability));
        if (late) {
            next = Math.max(0, next - 1);
            count++;
        }
        return late;
    }

    private synchronized void hold(Runnable call) {
        held.add(call);
    }

    private synchronized void answered(Runnable call) {
        onTheWay.remove(call);
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel store) {
        return isLate(method.getBareMethodName())
                ? new LateCall<>(method, options, store)
                : store.newCall(method, options);
    }

    private final class LateCall<Q, R> extends ClientCall<Q, R> implements Runnable {
        private final MethodDescriptor<Q, R> method;
        private final CallOptions options;
        private final Channel store;
        private @Nullable Metadata headers;
        private @Nullable Listener<R> listener;
        private @Nullable Q request;

        LateCall(MethodDescriptor<Q, R> method, CallOptions options, Channel store) {
            this.method = method;
            this.options = options;
            this.store = store;
        }

        @Override
        public void start(Listener<R> answers, Metadata sent) {
            listener = answers;
            headers = sent;
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void sendMessage(Q message) {
            request = message;
        }

        @Override
        public void halfClose() {
            hold(this);
            Listener<R> client = listener;
            if (client != null) {
                SENDERS.execute(() -> client.onClose(Status.UNAVAILABLE.withDescription("late"), new Metadata()));
            }
        }

        @Override
        public void run() {
            Context.ROOT.run(() -> {
                ClientCall<Q, R> call = store.newCall(method, options.withDeadline(null));
                call.start(
                        new Listener<>() {
                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                answered(LateCall.this);
                            }
                        },
                        headers);
                call.request(2);
                call.sendMessage(request);
                call.halfClose();
            });
        }
    }
}
