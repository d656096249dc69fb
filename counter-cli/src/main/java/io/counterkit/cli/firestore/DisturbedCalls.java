package io.counterkit.cli.firestore;

import io.counterkit.cli.backend.FaultSource;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Disturbs calls on their way to Firestore: a third each never gets there, loses its reply and is held back. Sits below
 * the client, so that its own repetitions are disturbed as well. Thread-safe.
 */
final class DisturbedCalls implements ClientInterceptor, FaultSource {
    /** What a network may say of a call whose fate it does not know. */
    private static final List<Status> LOSSES = List.of(
            Status.UNAVAILABLE.withDescription("injected: connection lost"),
            Status.DEADLINE_EXCEEDED.withDescription("injected: too late"),
            Status.INTERNAL.withDescription("injected: stream broken"),
            Status.UNKNOWN.withDescription("injected: no status"));

    /** Held calls are let go at one in so many occasions, so that some are overtaken by much. */
    private static final int LONGEST_WAIT = 8;

    private final AtomicLong count = new AtomicLong();
    private final List<HeldCall<?, ?>> held = new ArrayList<>();
    private @Nullable Random random;
    private double probability;

    @Override
    public synchronized void start(double faultProbability, long seed) {
        probability = faultProbability;
        random = new Random(seed);
    }

    @Override
    public synchronized void release() {
        if (random != null) {
            for (Iterator<HeldCall<?, ?>> calls = held.iterator(); calls.hasNext(); ) {
                HeldCall<?, ?> call = calls.next();
                if (random.nextInt(LONGEST_WAIT) == 0) {
                    calls.remove();
                    call.letGo();
                }
            }
        }
    }

    @Override
    public synchronized void stop() {
        random = null;
        held.forEach(HeldCall::letGo);
        held.clear();
    }

    @Override
    public long count() {
        return count.get();
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        ClientCall<Q, R> call = next.newCall(method, options);
        // A listener's stream is open for as long as somebody listens; it has no reply to lose.
        return method.getType().clientSendsOneMessage() ? disturbed(call) : call;
    }

    private synchronized <Q, R> ClientCall<Q, R> disturbed(ClientCall<Q, R> call) {
        if (random == null || random.nextDouble() >= probability) {
            return call;
        }
        count.incrementAndGet();
        Status loss = LOSSES.get(random.nextInt(LOSSES.size()));
        return switch (random.nextInt(3)) {
            case 0 -> new UnsentCall<>(loss);
            case 1 -> new UnansweredCall<>(call, loss);
            default -> {
                HeldCall<Q, R> late = new HeldCall<>(call);
                held.add(late);
                yield late;
            }
        };
    }
}
