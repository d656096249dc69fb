package io.counterkit.cli.firestore;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call that is on its way until it is let go: what is asked of it waits, and is then done in the same order. */
final class HeldCall<Q, R> extends ClientCall<Q, R> {
    private final ClientCall<Q, R> call;
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean gone;

    HeldCall(ClientCall<Q, R> call) {
        this.call = call;
    }

    /** Sends it on its way. */
    synchronized void letGo() {
        gone = true;
        waiting.forEach(Runnable::run);
        waiting.clear();
    }

    private synchronized void afterwards(Runnable action) {
        if (gone) {
            action.run();
        } else {
            waiting.add(action);
        }
    }

    @Override
    public void start(Listener<R> listener, Metadata headers) {
        afterwards(() -> call.start(listener, headers));
    }

    @Override
    public void request(int messages) {
        afterwards(() -> call.request(messages));
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
        afterwards(() -> call.cancel(message, cause));
    }

    @Override
    public void halfClose() {
        afterwards(call::halfClose);
    }

    @Override
    public void sendMessage(Q message) {
        afterwards(() -> call.sendMessage(message));
    }
}
