package io.counterkit.firestore.emulator.faults;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the replies of a call to its listener as gRPC promises: no more than it requested, and nothing after the
 * end.
 */
final class Replies<R> {
    private final ClientCall.Listener<R> listener;
    private final Deque<R> waiting = new ArrayDeque<>();
    private long requested;
    private @Nullable Status end;
    private boolean isClosed;

    Replies(ClientCall.Listener<R> listener) {
        this.listener = listener;
    }

    void request(int messages) {
        requested += messages;
        deliver(new Metadata());
    }

    void headers(Metadata headers) {
        if (!isClosed) {
            listener.onHeaders(headers);
        }
    }

    void message(R message) {
        waiting.add(message);
        deliver(new Metadata());
    }

    /** Ends the replies; a failure discards those that wait. */
    void close(Status status, Metadata trailers) {
        if (end == null || !status.isOk()) {
            end = status;
        }
        deliver(trailers);
    }

    private void deliver(Metadata trailers) {
        while (!isClosed && requested > 0 && !waiting.isEmpty() && (end == null || end.isOk())) {
            requested--;
            listener.onMessage(waiting.remove());
        }
        if (!isClosed && end != null && (waiting.isEmpty() || !end.isOk())) {
            isClosed = true;
            listener.onClose(end, trailers);
        }
    }
}
