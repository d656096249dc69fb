package io.counterkit.cli.ingest;

import io.counterkit.IdempotencyToken;
import io.counterkit.RampUpLimiter;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.SequenceStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A backend whose adds keep to a ramp. It stands below the combining, so that what is counted is what is written, and
 * adds that wait for their turn are merged meanwhile.
 */
record RampedBackend(CounterBackend backend, RampUpLimiter ramp) implements CounterBackend {
    @Override
    public Set<Capability> capabilities() {
        return backend.capabilities();
    }

    @Override
    public CounterStore counters() {
        return new RampedCounters(backend.counters(), ramp);
    }

    @Override
    public SequenceStore sequences() {
        return backend.sequences();
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        return backend.resolve(token, origin, call);
    }

    @Override
    public Duration retention() {
        return backend.retention();
    }

    @Override
    public void close() {
        backend.close();
    }
}
