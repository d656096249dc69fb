package io.counterkit.firestore;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.SynchronizationContext;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * A call of one request that a fault hits. The call of the client and the call to the store are separate: the client's
 * deadline or cancellation ends the first and not the second.
 */
final class DisturbedCall<Q, R> extends ClientCall<Q, R> {
    /** Runs callbacks as gRPC does; they may block. */
    private static final Executor SENDERS = Executors.newCachedThreadPool(DisturbedCall::daemon);

    private static final ScheduledExecutorService DEADLINES =
            Executors.newSingleThreadScheduledExecutor(DisturbedCall::daemon);

    private final CallFault fault;
    private final MethodDescriptor<Q, R> method;
    private final CallOptions options;
    private final Channel store;

    /** Serializes the calls of the listener. */
    private final SynchronizationContext serial;

    private @Nullable Metadata headers;
    private @Nullable Replies<R> replies;
    private @Nullable Q request;

    DisturbedCall(CallFault fault, MethodDescriptor<Q, R> method, CallOptions options, Channel store) {
        this.fault = fault;
        this.method = method;
        this.options = options;
        this.store = store;
        this.serial = new SynchronizationContext(
                (thread, failure) -> fault.carriedOut().completeExceptionally(failure));
    }

    @Override
    public void start(Listener<R> listener, Metadata headers) {
        this.headers = headers;
        this.replies = new Replies<>(listener);
        Deadline deadline = options.getDeadline();
        if (deadline != null) {
            Future<?> unused = deadline.runOnExpiration(
                    () -> close(Status.DEADLINE_EXCEEDED.withDescription("passed while a test held the call")),
                    DEADLINES);
        }
    }

    @Override
    public void request(int messages) {
        serial.execute(() -> replies().request(messages));
    }

    @Override
    public void sendMessage(Q message) {
        request = message;
    }

    @Override
    public void halfClose() {
        switch (fault.fault()) {
            case FAIL_BEFORE -> {
                fault.carriedOut().complete(null);
                SENDERS.execute(() -> close(fault.shown()));
            }
            case LOSE_REPLY -> SENDERS.execute(() -> send(new Loser()));
            case HOLD -> {
                Future<?> unused = fault.ended().thenRunAsync(() -> send(new Passer()), SENDERS);
            }
        }
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        if (request == null) {
            fault.carriedOut().complete(null);
        }
        close(Status.CANCELLED.withDescription(message).withCause(cause));
    }

    private void close(Status status) {
        serial.execute(() -> replies().close(status, new Metadata()));
    }

    private void send(Listener<R> listener) {
        try {
            Context.ROOT.run(() -> {
                ClientCall<Q, R> call = store.newCall(method, options.withDeadline(null));
                call.start(listener, headers);
                call.request(Integer.MAX_VALUE);
                call.sendMessage(request);
                call.halfClose();
            });
        } catch (RuntimeException e) {
            fault.carriedOut().completeExceptionally(e);
            close(Status.INTERNAL
                    .withDescription("a test could not send the call")
                    .withCause(e));
        }
    }

    private Replies<R> replies() {
        if (replies == null) {
            throw new IllegalStateException("the call was not started");
        }
        return replies;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "store-faults");
        thread.setDaemon(true);
        return thread;
    }

    /** Ignores the store's answer, and closes the client's call with the status of the fault. */
    private final class Loser extends Listener<R> {
        @Override
        public void onClose(Status status, Metadata trailers) {
            fault.carriedOut().complete(null);
            close(fault.shown());
        }
    }

    /** Passes the store's answer to the client. */
    private final class Passer extends Listener<R> {
        @Override
        public void onHeaders(Metadata received) {
            serial.execute(() -> replies().headers(received));
        }

        @Override
        public void onMessage(R message) {
            serial.execute(() -> replies().message(message));
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            fault.carriedOut().complete(null);
            serial.execute(() -> replies().close(status, trailers));
        }
    }
}
