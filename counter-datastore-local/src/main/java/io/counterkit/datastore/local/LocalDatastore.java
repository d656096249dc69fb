package io.counterkit.datastore.local;

import com.google.appengine.tools.development.testing.LocalDatastoreServiceTestConfig;
import com.google.appengine.tools.development.testing.LocalServiceTestHelper;
import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.Environment;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.spi.CounterBackend;
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
 * <p>App Engine made it for tests: all of the data is in memory too, and its calls are carried out one at a time.
 */
public final class LocalDatastore implements AutoCloseable {
    /** It writes when it is told to, not in between: what is half written helps nobody. */
    private static final int NEVER_MILLIS = Integer.MAX_VALUE;

    private final DataDirectory directory;
    private final Durability durability;
    private final LocalServiceTestHelper helper;
    private final Environment environment;
    private boolean closed;

    private LocalDatastore(DataDirectory directory, Durability durability, LocalServiceTestHelper helper) {
        this.directory = directory;
        this.durability = durability;
        this.helper = helper;
        this.environment = ApiProxy.getCurrentEnvironment();
    }

    /**
     * Opens the Datastore of a directory, which is made if there is none. The calling thread then has an App Engine
     * environment.
     *
     * @throws DirectoryInUseException if another process holds it
     * @throws IllegalArgumentException if it cannot be used, or what is in it is of another make
     * @throws IllegalStateException if this process has one open already
     */
    public static synchronized LocalDatastore open(Path directory, Durability durability) {
        if (ApiProxy.getDelegate() instanceof AtomicCommits) {
            throw new IllegalStateException("a local Datastore is open in this process, and App Engine's API knows but"
                    + " one: close it before you open " + directory);
        }
        DataDirectory held = DataDirectory.open(directory);
        try {
            LocalServiceTestHelper helper = new LocalServiceTestHelper(new LocalDatastoreServiceTestConfig()
                    .setNoStorage(false)
                    .setBackingStoreLocation(held.copy().toString())
                    .setStoreDelayMs(NEVER_MILLIS));
            helper.setUp();
            AtomicCommits.install(durability == Durability.EACH_COMMIT ? new WrittenStore(held) : () -> {});
            return new LocalDatastore(held, durability, helper);
        } catch (RuntimeException e) {
            held.end(false);
            throw e;
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
     * Writes what is not yet written and lets go of the directory. Close what uses the backend before. Does nothing the
     * second time.
     *
     * @throws java.io.UncheckedIOException if it could not be written
     */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            boolean isWhole = durability == Durability.EACH_COMMIT || !isShuttingDown();
            boolean isKept = false;
            try {
                ApiProxy.setEnvironmentForCurrentThread(environment);
                helper.tearDown();
                if (durability == Durability.WHEN_CLOSED) {
                    directory.checkCopy();
                    directory.keepCopy();
                }
                isKept = true;
            } finally {
                directory.end(isWhole && isKept);
            }
        }
    }

    /** Then App Engine's stub stops by itself, perhaps before the program does. */
    private static boolean isShuttingDown() {
        Thread probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            return !Runtime.getRuntime().removeShutdownHook(probe);
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
