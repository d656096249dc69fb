package io.counterkit.cli.firestore;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Logs;
import io.counterkit.cli.google.EmulatorAddress;
import io.counterkit.cli.google.GoogleAccount;
import io.counterkit.cli.google.GoogleOptions;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.EmulatorUnavailableException;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.emulator.faults.FirestoreFaults;
import io.grpc.ClientInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * The Firestore that the options choose.
 *
 * @param namedEmulator the address of the emulator that the environment names; null for none
 */
record FirestoreTarget(GoogleOptions google, @Nullable String namedEmulator) {
    /**
     * Connects, and creates the backend.
     *
     * @throws IllegalArgumentException if no project or no credentials are known, or Firestore cannot be reached, or refuses
     */
    OpenBackend open(FirestoreCounterOptions options) {
        Logs.quiet("com.google.api", "com.google.auth", "com.google.cloud", "io.grpc", "io.opentelemetry");
        String emulator = google.emulator(namedEmulator);
        // If the environment names an emulator, the client creates its own channel, without interceptors.
        FirestoreFaults faults = emulator != null && namedEmulator == null ? new FirestoreFaults() : null;
        Firestore client = emulator == null ? connect() : connect(emulator, faults);
        try {
            FirstContact.with(client, options.layout().counterCollection());
        } catch (RuntimeException e) {
            FirestoreConnection.close(client);
            throw e;
        }
        return new FirestoreConnection(client, options, faults, emulator == null);
    }

    private Firestore connect() {
        return FirestoreOptions.newBuilder()
                .setCredentials(GoogleAccount.credentials())
                .setProjectId(GoogleAccount.project(google.project()))
                .setDatabaseId(google.database())
                .build()
                .getService();
    }

    private Firestore connect(String emulator, @Nullable FirestoreFaults faults) {
        try {
            FirestoreEmulator running = emulator.equals(EmulatorAddress.NONE) || emulator.equals(namedEmulator)
                    ? FirestoreEmulator.shared()
                    : FirestoreEmulator.at(emulator);
            return running.connect(
                    google.demoProject(),
                    builder -> builder.setDatabaseId(google.database()),
                    faults == null ? new ClientInterceptor[0] : new ClientInterceptor[] {faults});
        } catch (EmulatorUnavailableException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
