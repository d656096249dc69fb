package io.counterkit.cli.datastore;

import com.google.inject.Module;
import io.counterkit.NotAppliedException;
import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.HeldResources;
import io.counterkit.cli.backend.Notice;
import io.counterkit.cli.console.FileNames;
import io.counterkit.datastore.local.DirectoryInUseException;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.spi.CounterBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Counters on App Engine's local Datastore, which is part of the command and keeps its data in a directory. */
public final class DatastoreBackendFactory implements BackendFactory {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The directory that holds the data; one command at a time. Default: .counterkit/datastore in"
                    + " your home directory.")
    private @Nullable String data;

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
        return module(Durability.WHEN_CLOSED);
    }

    /** Each commit writes the file, so that many take longer. */
    @Override
    public Module durableModule() {
        return module(Durability.EACH_COMMIT);
    }

    private Module module(Durability durability) {
        StoreLogs.hush();
        Path directory = data == null ? FileNames.inHome(".counterkit", "datastore") : FileNames.path(data);
        LocalDatastore datastore = open(directory, durability);
        Notice notice = null;
        if (datastore.brokenOff() != null) {
            notice = new Notice("the last command on " + directory + datastore.brokenOff()
                    + " was killed or interrupted: what it changed may be missing; what was changed before is there");
        }
        Notice told = notice;
        CounterBackend backend = datastore.backend();
        return binder -> {
            if (told != null) {
                binder.bind(Notice.class).toInstance(told);
            }
            binder.bind(CounterBackend.class).toInstance(backend);
            binder.bind(HeldResources.class).toInstance(() -> close(datastore, directory));
        };
    }

    private static void close(LocalDatastore datastore, Path directory) {
        try {
            datastore.close();
        } catch (UncheckedIOException e) {
            if (datastore.isWritten()) {
                throw e;
            }
            throw new NotAppliedException(
                    "what this command changed was not saved in " + directory + " (" + reason(e)
                            + "): make room or repair the disk, then run the command again",
                    e);
        }
    }

    private static String reason(UncheckedIOException e) {
        return e.getCause() == null
                ? String.valueOf(e.getMessage())
                : String.valueOf(e.getCause().getMessage());
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
        } catch (IllegalStateException e) { // it is at both ends of a migration
            throw new IllegalArgumentException(
                    "a command can use one local Datastore: name another store at the other end", e);
        }
    }
}
