package io.counterkit.firestore;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Passes replies to a listener as gRPC promises: no more than requested, and none after the end. */
final class Replies<R> {
    private final ClientCall.Listener<R> listener;
    private final Deque<R> waiting = new ArrayDeque<>();
    private long requested;
    private @Nullable Status end;
    private boolean closed;

    Replies(ClientCall.Listener<R> listener) {
        this.listener = listener;
    }

    void request(int messages) {
        requested += messages;
        deliver(new Metadata());
    }

    void headers(Metadata headers) {
        if (!closed) {
            listener.onHeaders(headers);
        }
    }

    void message(R message) {
        waiting.add(message);
        deliver(new Metadata());
    }

    /** Closes the call. A failure overtakes pending replies. */
    void close(Status status, Metadata trailers) {
        if (end == null || !status.isOk()) {
            end = status;
        }
        deliver(trailers);
    }

    private void deliver(Metadata trailers) {
        while (!closed && requested > 0 && !waiting.isEmpty() && (end == null || end.isOk())) {
            requested--;
            listener.onMessage(waiting.remove());
        }
        if (!closed && end != null && (waiting.isEmpty() || !end.isOk())) {
            closed = true;
            listener.onClose(end, trailers);
        }
    }
}
