package io.counterkit.cli.firestore;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** A call that never leaves: it fails as soon as all is said. */
final class UnsentCall<Q, R> extends ClientCall<Q, R> {
    private final Status loss;
    private @Nullable Listener<R> listener;

    UnsentCall(Status loss) {
        this.loss = loss;
    }

    @Override
    public void start(Listener<R> responseListener, Metadata headers) {
        listener = responseListener;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        end(Status.CANCELLED.withDescription(message).withCause(cause));
    }

    @Override
    public void halfClose() {
        end(loss);
    }

    @Override
    public void sendMessage(Q message) {}

    private synchronized void end(Status status) {
        if (listener != null) {
            Listener<R> told = listener;
            listener = null;
            told.onClose(status, new Metadata());
        }
    }
}
