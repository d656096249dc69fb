package io.counterkit.datastore.cloud;

import io.counterkit.datastore.fixture.DatastoreEmulator;
import io.counterkit.firestore.emulator.DatabaseMode;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.Prerequisite;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * An emulator of one kind of a Datastore, which the tests of this JVM share. It starts when a test needs it, and ends
 * with the JVM or when the tests stop it.
 */
final class Emulator {
    /**
     * A legacy Datastore: entity groups and optimistic transactions, with fresh queries and without defined indexes.
     */
    static final Emulator FRESH = new Emulator(
            Duration.ZERO, () -> Running.datastore("--store_on_disk=false", "--consistency=1.0", "--require_indexes"));

    /** A legacy Datastore whose queries lag at random. */
    static final Emulator STALE = new Emulator(
            Duration.ofSeconds(10),
            () -> Running.datastore("--store_on_disk=false", "--consistency=0.5", "--require_indexes"));

    /** A Firestore in Datastore mode with optimistic transactions. */
    static final Emulator OPTIMISTIC =
            new Emulator(Duration.ofSeconds(10), () -> Running.datastore("--testing", "--firestore_in_datastore_mode"));

    /** A Firestore in Datastore mode with pessimistic transactions, which lock what they read. */
    static final Emulator PESSIMISTIC = new Emulator(Duration.ofSeconds(10), Running::firestore);

    /** On the emulator that locks, each contention takes two seconds. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Duration lag;
    private final Callable<Running> start;
    private @Nullable Running running;

    private Emulator(Duration lag, Callable<Running> start) {
        this.lag = lag;
        this.start = start;
    }

    /** An emulator that listens at an address until it is closed. */
    private record Running(String hostAndPort, Runnable close) {
        static Running datastore(String... options) throws Exception {
            DatastoreEmulator started = DatastoreEmulator.start(options);
            return new Running(started.hostAndPort(), started::close);
        }

        static Running firestore() {
            FirestoreEmulator started = FirestoreEmulator.start(EmulatorOptions.builder()
                    .databaseMode(DatabaseMode.DATASTORE_MODE)
                    .build());
            return new Running(started.hostAndPort(), started::close);
        }
    }

    /** Returns the address, and starts the emulator unless it runs. */
    synchronized String hostAndPort() {
        if (running == null) {
            running = Prerequisite.required(start);
        }
        return running.hostAndPort();
    }

    /** Returns a project of its own. */
    CloudStore store() {
        return CloudStore.at(hostAndPort(), lag, LONGEST);
    }

    synchronized void stop() {
        if (running != null) {
            running.close().run();
            running = null;
        }
    }
}
