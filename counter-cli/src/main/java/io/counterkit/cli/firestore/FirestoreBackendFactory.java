package io.counterkit.cli.firestore;

import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.google.EmulatorAddress;
import io.counterkit.cli.google.GoogleOptions;
import picocli.CommandLine.Mixin;

/** Counters on Google Cloud Firestore, or on its emulator. */
public final class FirestoreBackendFactory implements BackendFactory {
    private static final String HOST_VARIABLE = "FIRESTORE_EMULATOR_HOST";

    @Mixin
    private GoogleOptions google = new GoogleOptions();

    @Mixin
    private FirestoreLayout layout = new FirestoreLayout();

    @Override
    public String name() {
        return "firestore";
    }

    @Override
    public String description() {
        return "on Google Cloud Firestore, or its emulator";
    }

    @Override
    public boolean keeps() {
        return !EmulatorAddress.NONE.equals(google.emulator(System.getenv(HOST_VARIABLE)));
    }

    @Override
    public boolean hasFaults() {
        return true;
    }

    @Override
    public OpenBackend open() {
        return FirestoreConnection.open(google, System.getenv(HOST_VARIABLE), layout.options());
    }
}
