package io.counterkit.cli.firestore;

import com.google.cloud.firestore.Firestore;
import com.google.inject.Module;
import com.google.inject.util.Modules;
import io.counterkit.NotAppliedException;
import io.counterkit.RampUpLimiter;
import io.counterkit.cli.backend.Describer;
import io.counterkit.cli.backend.FaultSource;
import io.counterkit.cli.backend.HeldResources;
import io.counterkit.cli.backend.Resharder;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.EmulatorUnavailableException;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.guice.FirestoreCounterModule;
import io.grpc.ClientInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Which Firestore is meant.
 *
 * @param project the project that was asked for, or null
 * @param database the database's id
 * @param emulator the address of an emulator that was asked for, {@link EmulatorAddress#NONE} for any, or null for none
 * @param namedEmulator the emulator that the environment names, or null
 */
record FirestoreTarget(
        @Nullable String project,
        String database,
        @Nullable String emulator,
        @Nullable String namedEmulator) {
    /** A project that cannot exist: what is meant for an emulator reaches nothing else by it. */
    static final String DEMO_PROJECT = "demo-counterkit";

    /**
     * Connects, and binds the backend with all that goes with it.
     *
     * @throws IllegalArgumentException if the options do not make sense
     * @throws NotAppliedException if Firestore cannot be reached, or refuses
     */
    Module open(FirestoreCounterOptions options) {
        ClientLogs.hush();
        // The client makes its own channel, which nothing can disturb, where the environment names an emulator.
        DisturbedCalls faults = isOnEmulator() && namedEmulator == null ? new DisturbedCalls() : null;
        Firestore client = isOnEmulator() ? onEmulator(faults) : RealProject.connect(project, database);
        HeldResources held = () -> close(client);
        try {
            FirstContact.with(client, options.layout().counterCollection());
        } catch (RuntimeException e) {
            held.close();
            throw e;
        }
        return Modules.combine(new FirestoreCounterModule(options), binder -> {
            binder.bind(Firestore.class).toInstance(client);
            binder.bind(HeldResources.class).toInstance(held);
            binder.bind(Describer.class).to(ShardDescriber.class);
            binder.bind(Resharder.class).to(ShardDescriber.class);
            if (!isOnEmulator()) {
                binder.bind(RampUpLimiter.class).toInstance(RampUpLimiter.recommended());
            }
            if (faults != null) {
                binder.bind(FaultSource.class).toInstance(faults);
            }
        });
    }

    private boolean isOnEmulator() {
        return emulator != null || namedEmulator != null;
    }

    private Firestore onEmulator(@Nullable ClientInterceptor interceptor) {
        try {
            FirestoreEmulator running = emulator == null || emulator.equals(EmulatorAddress.NONE)
                    ? FirestoreEmulator.shared()
                    : FirestoreEmulator.at(emulator);
            return running.connect(
                    project == null ? DEMO_PROJECT : project,
                    builder -> builder.setDatabaseId(database),
                    interceptor == null ? new ClientInterceptor[0] : new ClientInterceptor[] {interceptor});
        } catch (EmulatorUnavailableException e) {
            throw new NotAppliedException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void close(Firestore client) {
        try {
            client.close();
        } catch (Exception e) {
            throw new IllegalStateException("Firestore's client could not be closed", e);
        }
    }
}
