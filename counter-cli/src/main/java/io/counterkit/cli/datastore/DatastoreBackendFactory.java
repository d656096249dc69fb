package io.counterkit.cli.datastore;

import com.google.inject.Module;
import io.counterkit.cli.backend.BackendFactory;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Counters on App Engine's local Datastore, which is part of the command and keeps its data in a directory. */
public final class DatastoreBackendFactory implements BackendFactory {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The directory that holds the data; one command at a time. Default: ${DEFAULT-VALUE}.")
    private Path directory = Path.of(System.getProperty("user.home"), ".counterkit", "datastore");

    @Override
    public String name() {
        return "datastore";
    }

    @Override
    public String description() {
        return "on a local App Engine Datastore in a directory, without any server";
    }

    @Override
    public Module module() {
        return EmbeddedDatastore.open(DataDirectory.open(directory, System.err)).module();
    }
}
