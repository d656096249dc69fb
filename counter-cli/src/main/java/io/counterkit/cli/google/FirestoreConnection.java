package io.counterkit.cli.google;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.RampUpLimiter;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Logs;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.emulator.faults.FirestoreFaults;
import io.counterkit.soak.FaultSource;
import io.grpc.ClientInterceptor;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The Firestore of a project, or an emulator of it.
 *
 * @param client the client, which {@link #close} closes
 */
record FirestoreConnection(
        Firestore client,
        FirestoreCounterBackend backend,
        boolean isEmulator,
        @Nullable FaultSource faults) implements OpenBackend {
    /**
     * Connects, and creates the backend.
     *
     * @throws IllegalArgumentException if no project or no credentials are known, or Firestore does not answer or
     *     refuses
     */
    static OpenBackend open(GoogleOptions google, FirestoreCounterOptions options, boolean hasFaults) {
        Logs.quiet("com.google.api", "com.google.auth", "com.google.cloud", "io.grpc", "io.opentelemetry");
        FirestoreFaults faults = new FirestoreFaults();
        Firestore client = hasFaults ? connect(google, faults) : connect(google);
        try {
            contact(client, options.layout().counterCollection());
        } catch (RuntimeException e) {
            close(client);
            throw e;
        }
        return new FirestoreConnection(
                client,
                FirestoreCounterBackend.create(client, options),
                google.emulator() != null,
                hasFaults ? new RandomFaults(faults) : null);
    }

    private static Firestore connect(GoogleOptions google, ClientInterceptor... interceptors) {
        String emulator = google.emulator();
        if (emulator == null) {
            return FirestoreOptions.newBuilder()
                    .setCredentials(GoogleAccount.credentials())
                    .setProjectId(GoogleAccount.project(google.project))
                    .setDatabaseId(google.database)
                    .build()
                    .getService();
        }
        FirestoreEmulator running = google.isInNewEmulator() || emulator.equals(google.named)
                ? FirestoreEmulator.shared()
                : FirestoreEmulator.at(emulator);
        return running.connect(google.demoProject(), builder -> builder.setDatabaseId(google.database), interceptors);
    }

    /**
     * Reads a document before anything is changed, and returns once Firestore has answered. Costs one read.
     *
     * @throws IllegalArgumentException if Firestore does not answer or refuses; the message is for the user
     */
    static void contact(Firestore client, String collection) {
        Refusals refusals = new Refusals(
                "Firestore",
                client.getOptions().getProjectId(),
                client.getOptions().getDatabaseId(),
                null);
        try {
            client.collection(collection)
                    .document("counterkit-first-contact")
                    .get()
                    .get(Refusals.LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            StatusCode.Code code =
                    cause instanceof ApiException api ? api.getStatusCode().getCode() : StatusCode.Code.UNKNOWN;
            throw refusals.of(code.name(), cause);
        } catch (TimeoutException e) {
            throw refusals.because(
                    "Firestore did not answer within " + Refusals.LONGEST_SECONDS + " s: is the network up?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refusals.because("interrupted before Firestore answered", e);
        }
    }

    @Override
    public FirestoreCounterBackend firestore() {
        return backend;
    }

    @Override
    public @Nullable RampUpLimiter ramp() {
        return isEmulator ? null : RampUpLimiter.recommended();
    }

    @Override
    public void close() {
        close(client);
    }

    private static void close(Firestore client) {
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
