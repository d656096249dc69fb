package io.counterkit.cli.datastore;

import io.counterkit.NotAppliedException;
import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.FileNames;
import io.counterkit.cli.console.Logs;
import io.counterkit.datastore.local.DirectoryInUseException;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Reasons;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Counters on App Engine's local Datastore, in this process and a directory. */
public final class DatastoreBackendFactory implements BackendFactory {
    @Option(names = "--data", paramLabel = "DIR")
    private @Nullable String data;

    @Override
    public String name() {
        return "datastore";
    }

    @Override
    public String description() {
        return "on a local App Engine Datastore in a directory, without a server";
    }

    @Override
    public boolean isDurable() {
        return false;
    }

    @Override
    public OpenBackend open() {
        return open(Durability.WHEN_CLOSED);
    }

    /** Writes the file with each commit, so that many commits take longer. */
    @Override
    public OpenBackend openDurable() {
        return open(Durability.EACH_COMMIT);
    }

    private OpenBackend open(Durability durability) {
        Logs.quiet("com.google.appengine", "com.google.apphosting");
        Path directory = data == null ? FileNames.inHome(".counterkit", "datastore") : FileNames.path(data);
        return new OpenDatastore(directory, open(directory, durability));
    }

    private static LocalDatastore open(Path directory, Durability durability) {
        try {
            return LocalDatastore.open(directory, durability);
        } catch (DirectoryInUseException e) {
            throw new NotAppliedException(
                    "another command is using " + e.directory() + e.holder()
                            + ": wait until it has ended, or choose another directory with --data",
                    e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--data " + directory + " cannot be used: "
                            + FileNames.problem(e.getCause() instanceof IOException cause ? cause : e),
                    e);
        } catch (IllegalStateException e) { // both ends of a migration
            throw new IllegalArgumentException(
                    "a command can use one local Datastore: choose another backend for the other end", e);
        }
    }

    private record OpenDatastore(Path directory, LocalDatastore datastore) implements OpenBackend {
        @Override
        public CounterBackend backend() {
            return datastore.backend();
        }

        @Override
        public @Nullable String notice() {
            return datastore.brokenOff() == null
                    ? null
                    : "the last command on " + directory + datastore.brokenOff()
                            + " was killed or interrupted: its changes may be missing; all earlier changes are there";
        }

        @Override
        public void close() {
            try {
                datastore.close();
            } catch (UncheckedIOException e) {
                if (datastore.isWritten()) {
                    throw e;
                }
                throw new NotAppliedException(
                        "the changes of this command were not saved in " + directory + " ("
                                + Reasons.of(e.getCause() == null ? e : e.getCause())
                                + "): make room or repair the disk, then run the command again",
                        e);
            }
        }
    }
}
