package io.counterkit.cli.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.RampUpLimiter;
import io.counterkit.cli.backend.Deployment;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.backend.Shards;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.faults.FirestoreFaults;
import io.counterkit.soak.FaultSource;
import io.counterkit.spi.CounterBackend;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The backend on a client of Firestore, which it closes. */
final class FirestoreConnection implements OpenBackend {
    private final Firestore client;
    private final FirestoreCounterBackend backend;
    private final @Nullable FirestoreFaults faults;
    private final @Nullable RampUpLimiter ramp;

    FirestoreConnection(
            Firestore client, FirestoreCounterOptions options, @Nullable FirestoreFaults faults, boolean isRamped) {
        this.client = client;
        this.backend = FirestoreCounterBackend.create(client, options);
        this.faults = faults;
        this.ramp = isRamped ? RampUpLimiter.recommended() : null;
    }

    @Override
    public CounterBackend backend() {
        return backend;
    }

    @Override
    public Shards shards() {
        return new FirestoreShards(backend);
    }

    @Override
    public Deployment deployment() {
        return new FirestoreDeployment(backend);
    }

    @Override
    public BiFunction<String, List<String>, ExtensionImport> extensionImports() {
        return (collection, fields) -> ExtensionImport.of(backend, collection, fields);
    }

    @Override
    public @Nullable RampUpLimiter ramp() {
        return ramp;
    }

    @Override
    public @Nullable FaultSource faults() {
        return faults == null ? null : new RandomFaults(faults);
    }

    @Override
    public void close() {
        close(client);
    }

    static void close(Firestore client) {
        try {
            client.close();
        } catch (Exception e) {
            throw new IllegalStateException("Firestore's client could not be closed", e);
        }
    }

    private record RandomFaults(FirestoreFaults faults) implements FaultSource {
        @Override
        public void start(double probability, long seed) {
            faults.start(probability, seed);
        }

        @Override
        public void release() {
            faults.release();
        }

        @Override
        public void stop() {
            faults.stop();
        }

        @Override
        public long count() {
            return faults.count();
        }
    }
}
