package io.counterkit.firestore.emulator.faults;

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
import org.jspecify.annotations.Nullable;

/**
 * Injects faults into the calls of Firestore's client, below the client's own retries, so that each attempt is a call:
 * either into chosen calls ({@link #inject}) or into calls at random ({@link #start}). Streams of listeners are never
 * disturbed. One object can serve several clients, and counts their calls together. Thread-safe.
 *
 * <pre>{@code
 * FirestoreFaults faults = new FirestoreFaults();
 * Firestore client = FirestoreEmulator.shared().connect("demo-test", settings -> settings, faults);
 * try (InjectedFault fault = faults.inject(Fault.LOSE_REPLY, 1)) {
 *     ...
 * }
 * }</pre>
 */
public final class FirestoreFaults implements ClientInterceptor {
    /** The statuses that leave open whether the store has executed a call. */
    private static final List<Status> RANDOM_STATUSES = List.of(
            Status.UNAVAILABLE.withDescription("injected: connection lost"),
            Status.DEADLINE_EXCEEDED.withDescription("injected: too late"),
            Status.INTERNAL.withDescription("injected: stream broken"),
            Status.UNKNOWN.withDescription("injected: no status"));

    private static final List<Fault> FAULTS = List.of(Fault.values());

    /** {@link #release} releases one held call in eight, so that other calls overtake the rest. */
    private static final int RELEASED_OF = 8;

    private final List<InjectedFault> armed = new ArrayList<>();
    private final List<InjectedFault> held = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private @Nullable Random random;
    private double probability;
    private long count;

    /**
     * Injects a fault into one call, which fails as a broken connection does, with {@code UNAVAILABLE}.
     *
     * @param call which call: 1 is the next one, 2 the one after it; of two faults for one call, the later one waits
     *     for the next call
     * @throws IllegalArgumentException if {@code call} is below 1
     */
    public InjectedFault inject(Fault fault, int call) {
        return inject(fault, call, Status.UNAVAILABLE.withDescription("injected: " + fault));
    }

    /** Injects a fault into one call, which fails with {@code shown}; otherwise as {@link #inject(Fault, int)}. */
    public synchronized InjectedFault inject(Fault fault, int call, Status shown) {
        if (call < 1) {
            throw new IllegalArgumentException("call " + call + ": use 1 or more, 1 is the next call");
        }
        InjectedFault injected = new InjectedFault(fault, shown, call, this::disarm);
        armed.add(injected);
        return injected;
    }

    /** Returns the methods that were called so far, in the order of the calls; not those during random faults. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /**
     * Starts to disturb calls at random: a third each fails, loses its reply and is held back.
     *
     * @param faultProbability the probability with which a call is disturbed, from 0 to 1
     */
    public synchronized void start(double faultProbability, long seed) {
        probability = faultProbability;
        random = new Random(seed);
    }

    /** Releases some of the calls that random faults hold. */
    public synchronized void release() {
        for (Iterator<InjectedFault> faults = held.iterator(); random != null && faults.hasNext(); ) {
            InjectedFault fault = faults.next();
            if (random.nextInt(RELEASED_OF) == 0) {
                faults.remove();
                fault.release();
            }
        }
    }

    /** Stops disturbing calls at random, and releases all that are held. */
    public synchronized void stop() {
        random = null;
        held.forEach(InjectedFault::release);
        held.clear();
    }

    /** Returns how many calls were disturbed. */
    public synchronized long count() {
        return count;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        InjectedFault fault = method.getType().clientSendsOneMessage() ? hit(method.getBareMethodName()) : null;
        return fault == null ? next.newCall(method, options) : new DisturbedCall<>(fault, method, options, next);
    }

    private synchronized @Nullable InjectedFault hit(@Nullable String method) {
        InjectedFault hitting = random == null ? hitByTurn(method) : hitAtRandom(random);
        if (hitting != null) {
            count++;
        }
        return hitting;
    }

    private @Nullable InjectedFault hitByTurn(@Nullable String method) {
        if ("Rollback".equals(method)) {
            return null; // the client does not wait for it, so it may arrive during another operation
        }
        calls.add(String.valueOf(method));
        InjectedFault hitting = null;
        for (InjectedFault fault : armed) {
            if (fault.tryHit(hitting == null)) {
                hitting = fault;
            }
        }
        if (hitting != null) {
            armed.remove(hitting);
        }
        return hitting;
    }

    private @Nullable InjectedFault hitAtRandom(Random numbers) {
        if (numbers.nextDouble() >= probability) {
            return null;
        }
        Status status = RANDOM_STATUSES.get(numbers.nextInt(RANDOM_STATUSES.size()));
        Fault fault = FAULTS.get(numbers.nextInt(FAULTS.size()));
        InjectedFault hitting = new InjectedFault(fault, status, 1, ended -> {});
        hitting.tryHit(true);
        if (fault == Fault.HOLD) {
            held.add(hitting);
        }
        return hitting;
    }

    private synchronized void disarm(InjectedFault fault) {
        armed.remove(fault);
    }
}
