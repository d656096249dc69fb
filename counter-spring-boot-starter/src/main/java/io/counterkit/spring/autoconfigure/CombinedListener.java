package io.counterkit.spring.autoconfigure;

import io.counterkit.CountersListener;
import io.counterkit.spi.Futures;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Passes each event to several listeners, even after one of them has failed. */
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

    /** Calls each listener, and then throws the first failure, with the others suppressed. The counters log it. */
    private void each(Consumer<CountersListener> event) {
        Throwable first = null;
        for (CountersListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable e) { // an Error too, such as that of an assertion
                if (first == null) {
                    first = e;
                } else if (first != e) { // an exception cannot be suppressed by itself
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            Futures.join(CompletableFuture.failedFuture(first));
        }
    }
}
