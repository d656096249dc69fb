package io.counterkit.datastore.local;

import com.google.appengine.tools.development.testing.LocalDatastoreServiceTestConfig;
import com.google.appengine.tools.development.testing.LocalServiceTestHelper;
import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.Environment;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.local.internal.store.AnyThread;
import io.counterkit.datastore.local.internal.store.AtomicCommits;
import io.counterkit.datastore.local.internal.store.DataDirectory;
import io.counterkit.datastore.local.internal.store.MemoryWriter;
import io.counterkit.datastore.local.internal.store.StoppedException;
import io.counterkit.datastore.local.internal.store.StoreFile;
import io.counterkit.datastore.local.internal.store.StubMemory;
import io.counterkit.spi.CounterBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * App Engine's local Datastore in this process, with its data in a directory that one process holds at a time. A
 * process has at most one, since App Engine's API supports only one. Thread-safe.
 *
 * <pre>{@code
 * try (LocalDatastore datastore = LocalDatastore.open(Path.of("counts"), Durability.EACH_COMMIT);
 *         Counters counters = Counters.over(datastore.backend())) {
 *     counters.counter("posts/42/likes").increment();
 * }
 * }</pre>
 *
 * <p>App Engine provides it for tests: all data is also in memory, calls run one at a time, and each write replaces the
 * whole file, which needs space for both files. With {@link Durability#EACH_COMMIT} every answer comes from a state
 * that is on disk. If a write fails, the changes that waited for it have an unknown outcome, and all calls are refused
 * until the Datastore is closed and opened again.
 */
public final class LocalDatastore implements AutoCloseable {
    private final DataDirectory directory;
    private final Durability durability;
    private final LocalServiceTestHelper helper;
    private final StubMemory memory;
    private final MemoryWriter writer;
    private final AtomicCommits commits;
    private final Environment environment;
    private boolean closed;
    private boolean written;

    private LocalDatastore(
            DataDirectory directory,
            Durability durability,
            LocalServiceTestHelper helper,
            StubMemory memory,
            MemoryWriter writer) {
        this.directory = directory;
        this.durability = durability;
        this.helper = helper;
        this.memory = memory;
        this.writer = writer;
        this.commits = AtomicCommits.install(memory, writer);
        this.environment = ApiProxy.getCurrentEnvironment();
        memory.keepThroughShutdown();
    }

    /**
     * Opens the Datastore of a directory, and creates the directory if it does not exist. Gives the calling thread an
     * App Engine environment.
     *
     * @throws DirectoryInUseException if another process holds it
     * @throws IllegalArgumentException if the directory cannot be used, or its data is damaged or was not written by
     *     this class
     * @throws IllegalStateException if this process has a local Datastore open
     */
    public static synchronized LocalDatastore open(Path directory, Durability durability) {
        if (ApiProxy.getDelegate() instanceof AtomicCommits) {
            throw new IllegalStateException("a local Datastore is open in this process, and App Engine's API supports"
                    + " only one: close it before you open " + directory);
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
            MemoryWriter writer = MemoryWriter.start(memory, file, durability);
            return new LocalDatastore(held, durability, helper, memory, writer);
        } catch (IOException | RuntimeException e) {
            if (isSetUp) {
                helper.tearDown();
            }
            held.end(held.abandonedBy() == null);
            throw e instanceof RuntimeException failure
                    ? failure
                    : new IllegalArgumentException(
                            "the data directory " + directory + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the last process that held the directory without closing it, as " (process 17, begun …)"; null if none.
     */
    public @Nullable String abandonedBy() {
        return directory.abandonedBy();
    }

    /** Returns a backend in the default namespace, as {@link #backend(DatastoreSequenceOptions)} does. */
    public CounterBackend backend() {
        return backend(DatastoreSequenceOptions.builder().namespace("").build());
    }

    /** Returns a backend that works on every thread: each call sets the App Engine environment. */
    public CounterBackend backend(DatastoreSequenceOptions options) {
        ApiProxy.setEnvironmentForCurrentThread(environment);
        return AnyThread.backend(DatastoreSequenceBackend.create(options), environment);
    }

    /**
     * Writes the changes that are not written yet, and releases the directory. Ignores interrupts. Close the users of
     * the backend first. Does nothing once the directory is released.
     *
     * @throws UncheckedIOException if not all changes could be written. With {@link Durability#WHEN_CLOSED} the
     *     directory is still held, all other calls are refused, and this method may be called again. With
     *     {@link Durability#EACH_COMMIT} the directory is released, and the file holds all acknowledged changes
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
                    "the last changes were not written to " + e.file() + " (" + e.reason()
                            + "): make room or repair the disk, and "
                            + (durability == Durability.EACH_COMMIT ? "open" : "close") + " the Datastore again",
                    new IOException(e.reason(), e));
        } finally {
            if (isWhole || durability == Durability.EACH_COMMIT) {
                closed = true;
                release(isWhole);
            }
        }
    }

    /**
     * Returns whether {@link #close()} has written all changes to disk. If {@code close} threw an exception all the
     * same, it failed only to release the directory.
     */
    public synchronized boolean isWritten() {
        return written;
    }

    private void release(boolean isWhole) {
        try {
            writer.end();
            memory.allowShutdown();
            ApiProxy.setEnvironmentForCurrentThread(environment);
            helper.tearDown();
        } finally {
            directory.end(isWhole);
        }
    }
}
