package io.counterkit.firestore;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;

/** Holds the replies to one kind of call, which the store has executed, until they are released. Thread-safe. */
public final class HeldReplies implements ClientInterceptor {
    private final String method;
    private final List<Runnable> held = new ArrayList<>();
    private boolean isHolding = true;

    public HeldReplies(String method) {
        this.method = method;
    }

    /** Returns the number of held parts of replies. */
    public synchronized int count() {
        return held.size();
    }

    public synchronized void release() {
        isHolding = false;
        held.forEach(Runnable::run);
        held.clear();
    }

    private synchronized void pass(Runnable part) {
        if (isHolding) {
            held.add(part);
        } else {
            part.run();
        }
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> called, CallOptions options, Channel next) {
        ClientCall<Q, R> call = next.newCall(called, options);
        if (!method.equals(called.getBareMethodName())) {
            return call;
        }
        return new ForwardingClientCall.SimpleForwardingClientCall<>(call) {
            @Override
            public void start(Listener<R> listener, Metadata headers) {
                super.start(
                        new Listener<>() {
                            @Override
                            public void onHeaders(Metadata received) {
                                pass(() -> listener.onHeaders(received));
                            }

                            @Override
                            public void onMessage(R message) {
                                pass(() -> listener.onMessage(message));
                            }

                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                pass(() -> listener.onClose(status, trailers));
                            }

                            @Override
                            public void onReady() {
                                listener.onReady();
                            }
                        },
                        headers);
            }
        };
    }
}
