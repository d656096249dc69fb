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

/** The emulator of this JVM, and faults in the channels of all clients that are connected through this. */
public final class FirestoreFixture implements BackendFixture {
    /** One database for this JVM: whatever tests make in it has random names. */
    public static final String PROJECT = "demo-" + UUID.randomUUID();

    /** The emulator of this JVM. */
    public static FirestoreEmulator emulator() {
        return Prerequisite.required(FirestoreEmulator::shared);
    }

    /** What Firestore's client does by itself when a call fails. */
    public enum ClientRetries {
        /** What it does unless it is told otherwise: five attempts of what it takes for repeatable, commits included. */
        DEFAULT,
        /** Nothing. */
        NONE;

        /** A client of an emulator, with these retries and these faults. */
        public Firestore connect(FirestoreEmulator emulator, CallFaults faults) {
            return emulator.connect(PROJECT, this::configure, faults);
        }

        /** The same without faults. */
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

    public FirestoreFixture() {
        this(FirestoreCounterOptions.defaults(), ClientRetries.DEFAULT);
    }

    public FirestoreFixture(FirestoreCounterOptions options, ClientRetries retries) {
        this.options = options;
        this.retries = retries;
    }

    /** Queries are strong, but roll-ups that are kept fresh, of which the largest are asked for, come after the change. */
    @Override
    public Duration lag() {
        return options.freshPrefix() == null ? Duration.ZERO : Duration.ofSeconds(60);
    }

    /** The emulator lets whoever is in another's way wait two seconds for locks, each time. */
    @Override
    public Duration deadline() {
        return Duration.ofMinutes(1);
    }

    @Override
    public FirestoreCounterBackend connect() {
        return FirestoreCounterBackend.create(client(), options);
    }

    /** One more client, for what the tests themselves want of the store; its calls count too. */
    public Firestore client() {
        Firestore client = retries.connect(emulator(), faults);
        clients.add(client);
        return client;
    }

    @Override
    public CallFaults faults() {
        return faults;
    }

    /** As {@link CallFaults#inject(StoreFault, int, Status.Code)}. */
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
