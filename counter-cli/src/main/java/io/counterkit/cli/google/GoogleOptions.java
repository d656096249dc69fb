package io.counterkit.cli.google;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose a database of a Google Cloud project, or an emulator. */
final class GoogleOptions {
    /** The names of the options, without hyphens. */
    static final Set<String> NAMES = Set.of("project", "database", "emulator");

    /** The name of the database of a project that has one. */
    static final String DEFAULT_DATABASE = "(default)";

    /** Stands for an emulator that is started for the command, as with {@code --emulator} alone. */
    private static final String NEW_EMULATOR = "";

    /** No real project can have this name, so that a mistake cannot reach one. */
    private static final String DEMO_PROJECT = "demo-counterkit";

    @Option(names = "--project", paramLabel = "ID")
    @Nullable String project;

    @Option(names = "--database", paramLabel = "ID")
    String database = DEFAULT_DATABASE;

    @Option(names = "--emulator", arity = "0..1", paramLabel = "HOST:PORT", fallbackValue = NEW_EMULATOR)
    private @Nullable String emulator;

    /** The address of the emulator that the environment names; null for none. */
    final @Nullable String named;

    GoogleOptions(@Nullable String named) {
        this.named = named;
    }

    /** Returns whether one of the options is given. */
    boolean areGiven() {
        return project != null || emulator != null || !database.equals(DEFAULT_DATABASE);
    }

    /** Returns the project of an emulator. */
    String demoProject() {
        return project == null ? DEMO_PROJECT : project;
    }

    /** Returns the address of the emulator; empty for one that is started for this command, null for a real project. */
    @Nullable String emulator() {
        boolean isNamed = named != null && !named.isEmpty();
        return isNamed && (emulator == null || emulator.equals(NEW_EMULATOR)) ? named : emulator;
    }

    /** Returns whether the database is in an emulator that is started for this command, and ends with it. */
    boolean isInNewEmulator() {
        return NEW_EMULATOR.equals(emulator());
    }
}
