package io.counterkit.cli.google;

import io.counterkit.NotAppliedException;
import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.FileNames;
import io.counterkit.cli.console.Logs;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.local.DirectoryInUseException;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Reasons;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The local Datastore in a directory.
 *
 * @param notice names the directory if it is new and the user did not choose it, or tells of changes that may be
 *     missing; null for neither
 */
record LocalDirectory(
        Path directory,
        LocalDatastore store,
        DatastoreSequenceOptions options,
        @Nullable String notice) implements OpenBackend {
    /**
     * Opens the backend, and creates the directory if it is absent; for {@link Opening#READING} an empty store in
     * memory instead. Writes the file with each commit if changes must survive a kill, so that many commits take
     * longer.
     *
     * @param isDefault whether the user did not choose the directory
     * @throws IllegalArgumentException if the directory cannot be used, or is absent and is to be a source
     * @throws NotAppliedException if another command uses it
     */
    static OpenBackend open(Path directory, boolean isDefault, String namespace, Opening opening) {
        boolean isNew = FileNames.isAbsent(directory);
        if (isNew && opening == Opening.READING) {
            return new Absent(directory);
        }
        if (isNew && opening == Opening.SOURCE) {
            throw missing(directory);
        }
        Logs.quiet("com.google.appengine", "com.google.apphosting");
        DatastoreSequenceOptions options =
                DatastoreSequenceOptions.builder().namespace(namespace).build();
        LocalDatastore store =
                open(directory, opening == Opening.BULK ? Durability.WHEN_CLOSED : Durability.EACH_COMMIT);
        String place = isNew && isDefault ? OpenBackend.keptIn(directory) : null;
        return new LocalDirectory(
                directory,
                store,
                options,
                store.abandonedBy() == null
                        ? place
                        : "the last command on " + directory + store.abandonedBy()
                                + " was killed or interrupted: its changes may be missing; all earlier changes are there");
    }

    private static IllegalArgumentException missing(Path directory) {
        return new IllegalArgumentException("there is no directory " + directory + ": name another with --data");
    }

    /** An empty store, for reading from a directory that does not exist yet. */
    private record Absent(Path directory) implements OpenBackend {
        @Override
        public CounterBackend backend() {
            return InMemoryBackend.create();
        }

        @Override
        public DatastoreSequenceBackend datastore() {
            throw missing(directory);
        }

        @Override
        public String notice() {
            return "there is no directory " + directory + " yet, so it has no counters";
        }
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
                    "source and target cannot both be a local Datastore: choose another backend for source or target",
                    e);
        }
    }

    @Override
    public CounterBackend backend() {
        return store.backend(options);
    }

    /** Makes its calls on the calling thread, which {@link #backend()} has prepared for App Engine's API. */
    @Override
    public DatastoreSequenceBackend datastore() {
        return DatastoreSequenceBackend.create(options);
    }

    @Override
    public void close() {
        try {
            store.close();
        } catch (UncheckedIOException e) {
            if (store.isWritten()) {
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
