package io.counterkit.firestore.emulator.faults;

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
 * A call of one request that a fault has hit. It consists of two calls, that of the client and that to the store: the
 * client's deadline and cancellation end only the first one.
 */
final class DisturbedCall<Q, R> extends ClientCall<Q, R> {
    /** A thread for each call, since a listener may block. */
    private static final Executor SENDERS = Executors.newCachedThreadPool(DisturbedCall::daemon);

    private static final ScheduledExecutorService DEADLINES =
            Executors.newSingleThreadScheduledExecutor(DisturbedCall::daemon);

    private final InjectedFault fault;
    private final MethodDescriptor<Q, R> method;
    private final CallOptions options;
    private final Channel store;

    /** Serializes the calls of the listener. */
    private final SynchronizationContext serial;

    private @Nullable Metadata headers;
    private @Nullable Replies<R> replies;
    private @Nullable Q request;

    DisturbedCall(InjectedFault fault, MethodDescriptor<Q, R> method, CallOptions options, Channel store) {
        this.fault = fault;
        this.method = method;
        this.options = options;
        this.store = store;
        this.serial =
                new SynchronizationContext((thread, failure) -> fault.executed().completeExceptionally(failure));
    }

    @Override
    public void start(Listener<R> listener, Metadata headers) {
        this.headers = headers;
        this.replies = new Replies<>(listener);
        Deadline deadline = options.getDeadline();
        if (deadline != null) {
            Future<?> unused = deadline.runOnExpiration(
                    () -> close(Status.DEADLINE_EXCEEDED.withDescription("passed while a fault held the call")),
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
            case FAIL -> {
                fault.executed().complete(null);
                SENDERS.execute(() -> close(fault.shown()));
            }
            case LOSE_REPLY -> SENDERS.execute(() -> send(new ReplyLoser()));
            case HOLD -> {
                Future<?> unused = fault.ended().thenRunAsync(() -> send(new ReplyPasser()), SENDERS);
            }
        }
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        if (request == null) {
            fault.executed().complete(null);
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
            fault.executed().completeExceptionally(e);
            close(Status.INTERNAL.withDescription("the call could not be sent").withCause(e));
        }
    }

    private Replies<R> replies() {
        if (replies == null) {
            throw new IllegalStateException("the call has not started");
        }
        return replies;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "firestore-faults");
        thread.setDaemon(true);
        return thread;
    }

    /** Hides the answer of the store. */
    private final class ReplyLoser extends Listener<R> {
        @Override
        public void onClose(Status status, Metadata trailers) {
            fault.executed().complete(null);
            close(fault.shown());
        }
    }

    /** Passes the answer of the store to the client. */
    private final class ReplyPasser extends Listener<R> {
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
            fault.executed().complete(null);
            serial.execute(() -> replies().close(status, trailers));
        }
    }
}
