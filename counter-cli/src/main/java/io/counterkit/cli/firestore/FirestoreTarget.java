package io.counterkit.cli.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.NotAppliedException;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Logs;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.EmulatorUnavailableException;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.emulator.faults.FirestoreFaults;
import io.grpc.ClientInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * The Firestore that the options choose.
 *
 * @param project the project; null for the default
 * @param emulator the address of an emulator, {@link EmulatorAddress#NONE} for any emulator; null for none
 * @param namedEmulator the address of the emulator that the environment names; null for none
 */
record FirestoreTarget(
        @Nullable String project,
        String database,
        @Nullable String emulator,
        @Nullable String namedEmulator) {
    /** A project that cannot exist, so that a mistake reaches no real one. */
    static final String DEMO_PROJECT = "demo-counterkit";

    /**
     * Connects, and creates the backend.
     *
     * @throws IllegalArgumentException if no project is known
     * @throws NotAppliedException if Firestore cannot be reached, or refuses
     */
    OpenBackend open(FirestoreCounterOptions options) {
        Logs.quiet("com.google.api", "com.google.auth", "com.google.cloud", "io.grpc", "io.opentelemetry");
        boolean isEmulator = emulator != null || namedEmulator != null;
        // If the environment names an emulator, the client creates its own channel, without interceptors.
        FirestoreFaults faults = isEmulator && namedEmulator == null ? new FirestoreFaults() : null;
        Firestore client = isEmulator ? connectEmulator(faults) : RealProject.connect(project, database);
        try {
            FirstContact.with(client, options.layout().counterCollection());
        } catch (RuntimeException e) {
            FirestoreConnection.close(client);
            throw e;
        }
        return new FirestoreConnection(client, options, faults, !isEmulator);
    }

    private Firestore connectEmulator(@Nullable FirestoreFaults faults) {
        try {
            FirestoreEmulator running = emulator == null || emulator.equals(EmulatorAddress.NONE)
                    ? FirestoreEmulator.shared()
                    : FirestoreEmulator.at(emulator);
            return running.connect(
                    project == null ? DEMO_PROJECT : project,
                    builder -> builder.setDatabaseId(database),
                    faults == null ? new ClientInterceptor[0] : new ClientInterceptor[] {faults});
        } catch (EmulatorUnavailableException e) {
            throw new NotAppliedException(String.valueOf(e.getMessage()), e);
        }
    }
}
