package io.counterkit.cli.ingest;

import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.RampUpLimiter;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A backend whose adds follow a ramp. It is below the batching, so that the ramp counts what is written, and adds that
 * wait for it are merged meanwhile.
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
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        return backend.resolve(token, target, call);
    }

    @Override
    public Duration retention() {
        return backend.retention();
    }

    @Override
    public void close() {
        backend.close();
    }

    private record RampedCounters(CounterStore counters, RampUpLimiter ramp) implements CounterStore {
        @Override
        public BatchLimits limits() {
            return counters.limits();
        }

        @Override
        public int weight(AddRequest request) {
            return counters.weight(request);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            int writes = requests.size() + 1; // and the token of the commit
            if (!counters.limits().callerRuns()) {
                return ramp.whenFree(writes).thenCompose(free -> counters.add(requests, commit));
            }
            try {
                ramp.await(writes);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return CompletableFuture.failedFuture(new NotAppliedException("interrupted before it was sent", e));
            }
            return counters.add(requests, commit);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return counters.read(names, maxStaleness, call);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return counters.reset(name, commit);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return counters.delete(name, commit);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return counters.names(prefix, cursor, limit, call);
        }
    }
}
