package io.counterkit.verification;

import com.google.firestore.v1.CommitRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection that loses the reply to the first commit with an increment, after the store has applied it. */
final class LostReply implements ClientInterceptor {
    private final AtomicBoolean isDone = new AtomicBoolean();

    /** Returns whether a reply was lost. */
    boolean isDone() {
        return isDone.get();
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            private volatile boolean isLosing;

            @Override
            public void sendMessage(Q message) {
                isLosing = increments(message) && isDone.compareAndSet(false, true);
                super.sendMessage(message);
            }

            @Override
            public void start(Listener<R> listener, Metadata headers) {
                super.start(
                        new SimpleForwardingClientCallListener<>(listener) {
                            @Override
                            public void onMessage(R reply) {
                                if (!isLosing) {
                                    super.onMessage(reply);
                                }
                            }

                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                super.onClose(isLosing ? Status.UNAVAILABLE : status, trailers);
                            }
                        },
                        headers);
            }
        };
    }

    private static boolean increments(Object message) {
        return message instanceof CommitRequest commit
                && commit.getWritesList().stream().anyMatch(write -> write.getUpdateTransformsCount() > 0);
    }
}
