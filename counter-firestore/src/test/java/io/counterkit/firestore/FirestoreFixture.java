package io.counterkit.firestore;

import com.google.cloud.ServiceOptions;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.Prerequisite;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The emulator of this JVM, with faults in the channels of all clients that this fixture creates. */
public final class FirestoreFixture implements BackendFixture {
    /** The database of this JVM. Tests use random names in it. */
    public static final String PROJECT = "demo-" + UUID.randomUUID();

    /** Returns the emulator of this JVM. */
    public static FirestoreEmulator emulator() {
        return Prerequisite.required(FirestoreEmulator::shared);
    }

    /** The retries of Firestore's client. */
    public enum ClientRetries {
        /** The default: five attempts of calls that the client considers repeatable, including commits. */
        DEFAULT,
        /** No retries. */
        NONE;

        /** Creates a client of an emulator with these retries and these faults. */
        public Firestore connect(FirestoreEmulator emulator, CallFaults faults) {
            return emulator.connect(PROJECT, this::configure, faults);
        }

        /** Creates a client of an emulator with these retries. */
        public Firestore connect(FirestoreEmulator emulator) {
            return emulator.connect(PROJECT, this::configure);
        }

        private FirestoreOptions.Builder configure(FirestoreOptions.Builder settings) {
            return this == NONE ? settings.setRetrySettings(ServiceOptions.getNoRetrySettings()) : settings;
        }
    }

    private final CallFaults faults = new CallFaults();
    private final Queue<Firestore> clients = new ConcurrentLinkedQueue<>();
    private final FirestoreCounterOptions options;
    private final ClientRetries retries;
    private final String project;

    public FirestoreFixture() {
        this(FirestoreCounterOptions.defaults(), ClientRetries.DEFAULT);
    }

    public FirestoreFixture(FirestoreCounterOptions options, ClientRetries retries) {
        this(options, retries, PROJECT);
    }

    private FirestoreFixture(FirestoreCounterOptions options, ClientRetries retries, String project) {
        this.options = options;
        this.retries = retries;
        this.project = project;
    }

    /**
     * Returns a fixture like this with a database of its own. The emulator examines every document of a database for each
     * query, so that a test in a database with few documents is much faster.
     */
    public FirestoreFixture inOwnDatabase() {
        return new FirestoreFixture(options, retries, "demo-" + UUID.randomUUID());
    }

    /** Queries are strongly consistent, but roll-ups that are kept fresh lag behind changes, and so does {@code top}. */
    @Override
    public Duration lag() {
        return options.freshPrefix() == null ? Duration.ZERO : Duration.ofSeconds(60);
    }

    /**
     * In contention, each wait for a lock takes up to two seconds on the emulator, and a ranking of counters without
     * roll-ups is a sum of each.
     */
    @Override
    public Duration deadline() {
        return Duration.ofMinutes(3);
    }

    @Override
    public FirestoreCounterBackend connect() {
        return FirestoreCounterBackend.create(client(), options);
    }

    /** Creates another client, for the tests' own calls, which are counted too. */
    public Firestore client() {
        Firestore client = emulator().connect(project, retries::configure, faults);
        clients.add(client);
        return client;
    }

    @Override
    public CallFaults faults() {
        return faults;
    }

    /** Injects a fault as {@link CallFaults#inject(StoreFault, int, Status.Code)} does. */
    public CallFault inject(StoreFault fault, int call, Status.Code shown) {
        return faults.inject(fault, call, shown);
    }

    @Override
    public void close() {
        for (Firestore client = clients.poll(); client != null; client = clients.poll()) {
            client.shutdown();
        }
    }
}
