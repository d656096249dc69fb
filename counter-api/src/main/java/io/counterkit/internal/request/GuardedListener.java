package io.counterkit.internal.request;

import io.counterkit.CountersListener;
import java.time.Duration;
import java.util.function.Consumer;

/** Keeps what a listener throws away from the work that it listens to, and says so in the log. */
final class GuardedListener implements CountersListener {
    private static final System.Logger LOG = System.getLogger(CountersListener.class.getName());

    private final CountersListener listener;

    private GuardedListener(CountersListener listener) {
        this.listener = listener;
    }

    static CountersListener of(CountersListener listener) {
        return listener == CountersListener.disabled() ? listener : new GuardedListener(listener);
    }

    @Override
    public void onBatch(Batch batch) {
        tell(told -> told.onBatch(batch));
    }

    @Override
    public void onConflict(String name) {
        tell(told -> told.onConflict(name));
    }

    @Override
    public void onRetry(Throwable cause) {
        tell(told -> told.onRetry(cause));
    }

    @Override
    public void onQueueFull(String request) {
        tell(told -> told.onQueueFull(request));
    }

    @Override
    public void onRead(String counter, Duration staleness) {
        tell(told -> told.onRead(counter, staleness));
    }

    private void tell(Consumer<CountersListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) { // also what an assertion in a listener throws
            LOG.log(System.Logger.Level.WARNING, "a CountersListener failed; the operation it heard of did not", e);
        }
    }
}
