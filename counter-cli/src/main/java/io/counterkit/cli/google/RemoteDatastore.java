package io.counterkit.cli.google;

import com.google.cloud.NoCredentials;
import com.google.cloud.ServiceOptions;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DatastoreException;
import com.google.cloud.datastore.DatastoreOptions;
import com.google.cloud.http.HttpTransportOptions;
import com.google.rpc.Code;
import io.counterkit.RampUpLimiter;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Logs;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.datastore.cloud.DatastoreCounterOptions;
import io.counterkit.firestore.emulator.DatabaseMode;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.spi.Reasons;
import org.jspecify.annotations.Nullable;

/**
 * The Datastore of a project, or an emulator of it.
 *
 * @param started the emulator that was started for this command, which {@link #close} closes; null for none
 */
record RemoteDatastore(
        DatastoreCounterBackend backend,
        boolean isEmulator,
        @Nullable FirestoreEmulator started) implements OpenBackend {
    /**
     * Connects, and creates the backend.
     *
     * @throws IllegalArgumentException if no project or no credentials are known, or the Datastore does not answer or
     *     refuses
     */
    static OpenBackend open(GoogleOptions google, String namespace) {
        Logs.quiet("com.google.api", "com.google.auth", "com.google.cloud", "io.opentelemetry");
        DatastoreCounterOptions options =
                DatastoreCounterOptions.builder().namespace(namespace).build();
        FirestoreEmulator started = google.isInNewEmulator() ? start() : null;
        try {
            String emulator = started == null ? google.emulator() : started.hostAndPort();
            Datastore client = client(google, emulator).getService();
            contact(client, google.database, emulator);
            return new RemoteDatastore(DatastoreCounterBackend.create(client, options), emulator != null, started);
        } catch (RuntimeException e) {
            close(started);
            throw e;
        }
    }

    /** Starts Firestore's emulator in Datastore mode. */
    private static FirestoreEmulator start() {
        return FirestoreEmulator.start(EmulatorOptions.builder()
                .databaseMode(DatabaseMode.DATASTORE_MODE)
                .build());
    }

    private static DatastoreOptions client(GoogleOptions google, @Nullable String emulator) {
        int millis = Refusals.LONGEST_SECONDS * 1_000;
        boolean isDefault = google.database.equals(GoogleOptions.DEFAULT_DATABASE);
        DatastoreOptions.Builder client = DatastoreOptions.newBuilder()
                .setDatabaseId(isDefault ? "" : google.database)
                .setNamespace("")
                .setRetrySettings(ServiceOptions.getNoRetrySettings())
                .setTransportOptions(HttpTransportOptions.newBuilder()
                        .setConnectTimeout(millis)
                        .setReadTimeout(millis)
                        .build());
        return emulator == null
                ? client.setCredentials(GoogleAccount.credentials())
                        .setProjectId(GoogleAccount.project(google.project))
                        .build()
                : client.setCredentials(NoCredentials.getInstance())
                        .setProjectId(google.demoProject())
                        .setHost("http://" + FirestoreEmulator.checkAddress(emulator))
                        .build();
    }

    /** Reads an entity before anything is changed. Costs one read. */
    private static void contact(Datastore client, String database, @Nullable String emulator) {
        try {
            client.get(client.newKeyFactory().setKind("CounterKitFirstContact").newKey("-"));
        } catch (DatastoreException e) {
            Refusals refusals = new Refusals("Datastore", client.getOptions().getProjectId(), database, emulator);
            Code code = Code.forNumber(e.getCode());
            throw Reasons.chain(e)
                    .filter(cause -> cause.getClass().getName().startsWith("com.google.auth."))
                    .findFirst()
                    .map(cause -> refusals.of(Code.UNAUTHENTICATED.name(), cause))
                    .orElseGet(() -> refusals.of(code == null ? Code.UNKNOWN.name() : code.name(), e));
        }
    }

    @Override
    public DatastoreCounterBackend datastore() {
        return backend;
    }

    @Override
    public @Nullable RampUpLimiter ramp() {
        return isEmulator ? null : RampUpLimiter.recommended();
    }

    @Override
    public void close() {
        close(started);
    }

    private static void close(@Nullable FirestoreEmulator started) {
        if (started != null) {
            started.close();
        }
    }
}
