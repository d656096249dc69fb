package io.counterkit.spring.autoconfigure;

import io.counterkit.CountersListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Passes each event to several listeners, even after one of them has thrown an exception. */
record CombinedListener(List<CountersListener> listeners) implements CountersListener {
    static CountersListener of(List<CountersListener> listeners) {
        return switch (listeners.size()) {
            case 0 -> CountersListener.disabled();
            case 1 -> listeners.get(0);
            default -> new CombinedListener(listeners);
        };
    }

    @Override
    public void onBatch(Batch batch) {
        each(listener -> listener.onBatch(batch));
    }

    @Override
    public void onConflict(String name) {
        each(listener -> listener.onConflict(name));
    }

    @Override
    public void onRetry(Throwable cause) {
        each(listener -> listener.onRetry(cause));
    }

    @Override
    public void onQueueFull(String request) {
        each(listener -> listener.onQueueFull(request));
    }

    @Override
    public void onRead(String counter, Duration staleness) {
        each(listener -> listener.onRead(counter, staleness));
    }

    /** Calls each listener, and then throws the first exception, with the others suppressed. The counters log it. */
    private void each(Consumer<CountersListener> event) {
        RuntimeException first = null;
        for (CountersListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else if (first != e) { // an exception cannot be suppressed by itself
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
