package io.counterkit.internal.request;

import io.counterkit.CountersListener;
import java.time.Duration;
import java.util.function.Consumer;

/** Logs the exceptions that a listener throws, so that they do not affect the operation. */
record GuardedListener(CountersListener listener) implements CountersListener {
    private static final System.Logger LOG = System.getLogger(CountersListener.class.getName());

    static CountersListener of(CountersListener listener) {
        return listener == CountersListener.disabled() ? listener : new GuardedListener(listener);
    }

    @Override
    public void onBatch(Batch batch) {
        call(guarded -> guarded.onBatch(batch));
    }

    @Override
    public void onConflict(String name) {
        call(guarded -> guarded.onConflict(name));
    }

    @Override
    public void onRetry(Throwable cause) {
        call(guarded -> guarded.onRetry(cause));
    }

    @Override
    public void onQueueFull(String request) {
        call(guarded -> guarded.onQueueFull(request));
    }

    @Override
    public void onRead(String counter, Duration staleness) {
        call(guarded -> guarded.onRead(counter, staleness));
    }

    private void call(Consumer<CountersListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) { // an Error too, such as that of an assertion
            LOG.log(System.Logger.Level.WARNING, "the listener of CountersOptions failed; the operation continues", e);
        }
    }
}
