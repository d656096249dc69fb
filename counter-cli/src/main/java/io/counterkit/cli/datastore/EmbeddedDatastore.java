package io.counterkit.cli.datastore;

import com.google.appengine.tools.development.testing.LocalDatastoreServiceTestConfig;
import com.google.appengine.tools.development.testing.LocalServiceTestHelper;
import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.Environment;
import com.google.inject.Module;
import io.counterkit.cli.backend.HeldResources;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.spi.CounterBackend;

/**
 * App Engine's local Datastore in this process. There is one at a time in a process, since App Engine's API knows but
 * one.
 */
final class EmbeddedDatastore implements HeldResources {
    /** It writes when it is stopped, not in between: what is half written helps nobody. */
    private static final int NEVER_MILLIS = Integer.MAX_VALUE;

    private final DataDirectory directory;
    private final LocalServiceTestHelper helper;
    private final Environment environment;
    private boolean closed;

    private EmbeddedDatastore(DataDirectory directory, LocalServiceTestHelper helper) {
        this.directory = directory;
        this.helper = helper;
        this.environment = ApiProxy.getCurrentEnvironment();
    }

    static EmbeddedDatastore open(DataDirectory directory) {
        StoreLogs.hush();
        LocalServiceTestHelper helper = new LocalServiceTestHelper(new LocalDatastoreServiceTestConfig()
                .setNoStorage(false)
                .setBackingStoreLocation(directory.copy().toString())
                .setStoreDelayMs(NEVER_MILLIS));
        helper.setUp();
        takeTurns();
        return new EmbeddedDatastore(directory, helper);
    }

    @SuppressWarnings("unchecked")
    private static void takeTurns() {
        ApiProxy.setDelegate(new OneAtATime(ApiProxy.getDelegate(), new Object()));
    }

    CounterBackend backend() {
        DatastoreSequenceOptions options =
                DatastoreSequenceOptions.builder().namespace("").build();
        return new AnyThreadBackend(DatastoreSequenceBackend.create(options), environment);
    }

    Module module() {
        CounterBackend backend = backend();
        return binder -> {
            binder.bind(CounterBackend.class).toInstance(backend);
            binder.bind(HeldResources.class).toInstance(this);
        };
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            boolean isWhole = !isShuttingDown();
            ApiProxy.setEnvironmentForCurrentThread(environment);
            helper.tearDown();
            directory.end(isWhole);
        }
    }

    /** Then the local Datastore stops by itself, perhaps before the command does. */
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
