package io.counterkit.datastore.local;

import com.google.appengine.tools.development.testing.LocalDatastoreServiceTestConfig;
import com.google.appengine.tools.development.testing.LocalServiceTestHelper;
import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.Environment;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.spi.CounterBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * App Engine's local Datastore in this process, with its data in a directory that one process at a time holds. There is
 * one in a process, since App Engine's API knows but one. Thread-safe.
 *
 * <pre>{@code
 * try (LocalDatastore datastore = LocalDatastore.open(Path.of("counts"), Durability.EACH_COMMIT);
 *         Counters counters = Counters.over(datastore.backend())) {
 *     counters.counter("posts/42/likes").increment();
 * }
 * }</pre>
 *
 * <p>App Engine made it for tests: all of the data is in memory too, its calls are carried out one at a time, and each
 * write replaces the whole file, which needs room for both. With {@link Durability#EACH_COMMIT} nothing is answered from
 * a state that is not on disk. If a write fails, the changes that waited for it have an unknown outcome, and everything
 * is refused until the Datastore is closed and opened again.
 */
public final class LocalDatastore implements AutoCloseable {
    private final DataDirectory directory;
    private final Durability durability;
    private final LocalServiceTestHelper helper;
    private final StubMemory memory;
    private final Writing writing;
    private final AtomicCommits commits;
    private final Environment environment;
    private boolean closed;
    private boolean written;

    private LocalDatastore(
            DataDirectory directory,
            Durability durability,
            LocalServiceTestHelper helper,
            StubMemory memory,
            Writing writing) {
        this.directory = directory;
        this.durability = durability;
        this.helper = helper;
        this.memory = memory;
        this.writing = writing;
        this.commits = AtomicCommits.install(memory, writing);
        this.environment = ApiProxy.getCurrentEnvironment();
        memory.keepThroughShutdown();
    }

    /**
     * Opens the Datastore of a directory, which is made if there is none. The calling thread then has an App Engine
     * environment.
     *
     * @throws DirectoryInUseException if another process holds it
     * @throws IllegalArgumentException if it cannot be used, or what is in it is damaged or of another make
     * @throws IllegalStateException if this process has one open already
     */
    public static synchronized LocalDatastore open(Path directory, Durability durability) {
        if (ApiProxy.getDelegate() instanceof AtomicCommits) {
            throw new IllegalStateException("a local Datastore is open in this process, and App Engine's API knows but"
                    + " one: close it before you open " + directory);
        }
        DataDirectory held = DataDirectory.open(directory);
        LocalServiceTestHelper helper = new LocalServiceTestHelper(new LocalDatastoreServiceTestConfig());
        boolean isSetUp = false;
        try {
            StoreFile file = new StoreFile(directory);
            file.cleanUp();
            helper.setUp();
            isSetUp = true;
            StubMemory memory = new StubMemory(LocalServiceTestHelper.getLocalService("datastore_v3"));
            file.read(memory);
            Writing writing = durability == Durability.EACH_COMMIT
                    ? WriteEachCommit.start(memory, file)
                    : new WriteAtClose(memory, file);
            return new LocalDatastore(held, durability, helper, memory, writing);
        } catch (IOException | RuntimeException e) {
            if (isSetUp) {
                helper.tearDown();
            }
            held.end(held.brokenOff() == null);
            throw e instanceof RuntimeException failure
                    ? failure
                    : new IllegalArgumentException(
                            "the data directory " + directory + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** Who held the directory last and did not close it, as in " (process 17, begun …)"; null if it was closed. */
    public @Nullable String brokenOff() {
        return directory.brokenOff();
    }

    /** A backend in the default namespace, as {@link #backend(DatastoreSequenceOptions)}. */
    public CounterBackend backend() {
        return backend(DatastoreSequenceOptions.builder().namespace("").build());
    }

    /** A backend that works on every thread: each call brings the App Engine environment. */
    public CounterBackend backend(DatastoreSequenceOptions options) {
        ApiProxy.setEnvironmentForCurrentThread(environment);
        return new AnyThreadBackend(DatastoreSequenceBackend.create(options), environment);
    }

    /**
     * Writes what is not written yet and lets go of the directory. An interrupt does not stop it. Close what uses the
     * backend before. Does nothing once it has let go.
     *
     * @throws UncheckedIOException if not everything could be written. With {@link Durability#WHEN_CLOSED} the directory
     *     is still held, everything but this method is refused, and this method may be called again. With
     *     {@link Durability#EACH_COMMIT} the directory is free, and the file holds what was acknowledged
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        boolean isWhole = false;
        try {
            commits.close();
            isWhole = true;
            written = true;
        } catch (StoppedException e) {
            throw new UncheckedIOException(
                    "what was changed last was not written to " + e.file() + " (" + e.reason()
                            + "): make room or repair the disk, and "
                            + (durability == Durability.EACH_COMMIT ? "open" : "close") + " the Datastore again",
                    new IOException(e.reason(), e));
        } finally {
            if (isWhole || durability == Durability.EACH_COMMIT) {
                closed = true;
                letGo(isWhole);
            }
        }
    }

    /**
     * Whether everything that was changed is on disk, as far as {@link #close()} has found out. If {@code close} throws
     * all the same, only the directory could not be let go of.
     */
    public synchronized boolean isWritten() {
        return written;
    }

    private void letGo(boolean isWhole) {
        try {
            writing.end();
            memory.letStop();
            ApiProxy.setEnvironmentForCurrentThread(environment);
            helper.tearDown();
        } finally {
            directory.end(isWhole);
        }
    }
}
