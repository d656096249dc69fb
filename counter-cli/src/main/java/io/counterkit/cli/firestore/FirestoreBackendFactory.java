package io.counterkit.cli.firestore;

import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.OpenBackend;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Counters on Google Cloud Firestore, or on its emulator. */
public final class FirestoreBackendFactory implements BackendFactory {
    private static final String HOST_VARIABLE = "FIRESTORE_EMULATOR_HOST";

    @Option(names = "--project", paramLabel = "ID")
    private @Nullable String project;

    @Option(names = "--database", paramLabel = "ID")
    private String database = "(default)";

    @Option(names = "--emulator", arity = "0..1", paramLabel = "HOST:PORT", preprocessor = EmulatorAddress.class)
    private @Nullable String emulator;

    @Mixin
    private FirestoreLayout layout = new FirestoreLayout();

    @Override
    public String name() {
        return "firestore";
    }

    @Override
    public String description() {
        return "on Google Cloud Firestore, or its emulator; with faults there";
    }

    @Override
    public boolean keeps() {
        return !EmulatorAddress.NONE.equals(emulator) || System.getenv(HOST_VARIABLE) != null;
    }

    @Override
    public OpenBackend open() {
        return new FirestoreTarget(project, database, emulator, System.getenv(HOST_VARIABLE)).open(layout.options());
    }
}
