package io.counterkit.firestore;

import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.TargetChange.TargetChangeType;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Counts the streams of listeners, and refuses them on demand. Thread-safe. */
public final class Listens implements ClientInterceptor {
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger upToDate = new AtomicInteger();
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicReference<@Nullable Status> refusal = new AtomicReference<>();

    /** Returns the number of streams opened so far. */
    public int opened() {
        return opened.get();
    }

    /** Returns the number of open streams. */
    public int open() {
        return open.get();
    }

    /**
     * Returns the number of streams that have received the current documents. On the emulator, a new stream may miss a
     * change made before.
     */
    public int upToDate() {
        return upToDate.get();
    }

    /** Returns the number of changes of documents that were received. */
    public int changes() {
        return changes.get();
    }

    /** Ends each new stream with this status from now on; null accepts streams again. */
    public void refuse(@Nullable Status status) {
        refusal.set(status);
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        if (!"Listen".equals(method.getBareMethodName())) {
            return next.newCall(method, options);
        }
        Status refused = refusal.get();
        opened.incrementAndGet();
        return refused == null ? new Stream<>(next.newCall(method, options)) : new Refused<>(refused);
    }

    private final class Stream<Q, R> extends ForwardingClientCall.SimpleForwardingClientCall<Q, R> {
        private final AtomicBoolean ended = new AtomicBoolean();
        private final AtomicBoolean caughtUp = new AtomicBoolean();

        Stream(ClientCall<Q, R> call) {
            super(call);
        }

        @Override
        public void start(Listener<R> listener, Metadata headers) {
            open.incrementAndGet();
            super.start(
                    new ForwardingClientCallListener.SimpleForwardingClientCallListener<>(listener) {
                        @Override
                        public void onMessage(R message) {
                            super.onMessage(message);
                            if (message instanceof ListenResponse response && response.hasDocumentChange()) {
                                changes.incrementAndGet();
                            }
                            if (isUpToDate(message) && !caughtUp.getAndSet(true)) {
                                upToDate.incrementAndGet();
                            }
                        }

                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            end();
                            super.onClose(status, trailers);
                        }
                    },
                    headers);
        }

        @Override
        public void halfClose() {
            end();
            super.halfClose();
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            end();
            super.cancel(message, cause);
        }

        private static boolean isUpToDate(Object message) {
            return message instanceof ListenResponse response
                    && response.getTargetChange().getTargetChangeType() == TargetChangeType.CURRENT;
        }

        private void end() {
            if (!ended.getAndSet(true)) {
                open.decrementAndGet();
            }
        }
    }

    /** A stream that ends before it starts. */
    private static final class Refused<Q, R> extends ClientCall<Q, R> {
        private final Status status;

        Refused(Status status) {
            this.status = status;
        }

        @Override
        public void start(Listener<R> listener, Metadata headers) {
            ForkJoinPool.commonPool().execute(() -> listener.onClose(status, new Metadata()));
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {}

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Q message) {}
    }
}
