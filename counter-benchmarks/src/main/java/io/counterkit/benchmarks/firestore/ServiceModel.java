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
 * A model of what the emulator lacks: each call takes a round trip, and commits that write to the same document come one
 * after another, so many a second. It is not the live service, which takes bursts, moves load about, and fails where
 * this waits. Thread-safe.
 */
final class ServiceModel implements ClientInterceptor {
    /** Documents; beyond that the ones that are free by now are forgotten. */
    private static final int MOST_REMEMBERED = 100_000;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "service-model");
        thread.setDaemon(true);
        return thread;
    });

    private final long roundTripNanos;
    private final long commitNanos;
    private final Map<String, Long> free = new HashMap<>();

    ServiceModel(Duration roundTrip, double commitsPerSecond) {
        this.roundTripNanos = roundTrip.toNanos();
        this.commitNanos = (long) (1e9 / commitsPerSecond);
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        ClientCall<Q, R> call = next.newCall(method, options);
        return method.getType().clientSendsOneMessage() ? new SlowCall<>(call) : call;
    }

    /** When a commit's turn has come on all of its documents, from now. They are taken until it is done. */
    private synchronized long turn(CommitRequest commit) {
        long now = System.nanoTime();
        long start = now;
        for (Write write : commit.getWritesList()) {
            start = Math.max(start, free.getOrDefault(document(write), now));
        }
        for (Write write : commit.getWritesList()) {
            free.put(document(write), start + commitNanos);
        }
        if (free.size() > MOST_REMEMBERED) {
            free.values().removeIf(moment -> moment < now);
        }
        return start - now;
    }

    private static String document(Write write) {
        return write.hasDelete() ? write.getDelete() : write.getUpdate().getName();
    }

    /** A call that reaches the store when the model lets it. */
    private final class SlowCall<Q, R> extends SimpleForwardingClientCall<Q, R> {
        private long wait = roundTripNanos;

        SlowCall(ClientCall<Q, R> call) {
            super(call);
        }

        @Override
        public void sendMessage(Q message) {
            if (message instanceof CommitRequest commit) {
                wait += turn(commit);
            }
            super.sendMessage(message);
        }

        @Override
        public void halfClose() {
            Future<?> unused = clock.schedule(super::halfClose, wait, TimeUnit.NANOSECONDS);
        }
    }
}
