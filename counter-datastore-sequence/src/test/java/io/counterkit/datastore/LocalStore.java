package io.counterkit.datastore;

import com.google.appengine.tools.development.testing.LocalDatastoreServiceTestConfig;
import com.google.appengine.tools.development.testing.LocalServiceTestHelper;
import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.Environment;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/** App Engine's own local Datastore in this process, with faults on the way there. */
public final class LocalStore implements BackendFixture, FaultInjector {
    /** The errors of calls whose reply is lost, in turns. */
    static final Disturbance.StoreError[] LOST = {
        Disturbance.StoreError.TIMEOUT,
        Disturbance.StoreError.CONTENTION,
        Disturbance.StoreError.INTERNAL_ERROR,
        Disturbance.StoreError.DEADLINE_EXCEEDED
    };

    private final Supplier<LocalDatastoreServiceTestConfig> config;
    private final boolean restarts;
    private final DisturbedDelegate delegate;
    private final ArmedFaults faults;
    private final DatastoreSequenceOptions options;
    private final Duration lag;

    private volatile LocalServiceTestHelper helper;
    private volatile Environment environment;

    private LocalStore(
            Supplier<LocalDatastoreServiceTestConfig> config,
            boolean restarts,
            DatastoreSequenceOptions options,
            Duration lag) {
        this.config = config;
        this.restarts = restarts;
        this.options = options;
        this.lag = lag;
        start();
        delegate = DisturbedDelegate.install();
        faults = new ArmedFaults(delegate::disturb, delegate::release);
    }

    private void start() {
        helper = new LocalServiceTestHelper(config.get());
        helper.setUp();
        environment = ApiProxy.getCurrentEnvironment();
    }

    /** Queries are strong, as in most of today's Datastores. */
    public static LocalStore strong(DatastoreSequenceOptions options) {
        return new LocalStore(LocalDatastoreServiceTestConfig::new, false, options, Duration.ZERO);
    }

    /** Queries never find an entry. */
    static LocalStore stale(DatastoreSequenceOptions options) {
        return new LocalStore(
                () -> new LocalDatastoreServiceTestConfig()
                        .setAlternateHighRepJobPolicyClass(NeverAppliedUntilAskedAgain.class),
                false,
                options,
                Duration.ofSeconds(5));
    }

    /** On disk, restarted from there for each process, which probes for tails. */
    static LocalStore onDisk(Path file, DatastoreSequenceOptions options) {
        return new LocalStore(
                () -> new LocalDatastoreServiceTestConfig()
                        .setNoStorage(false)
                        .setBackingStoreLocation(file.toString()),
                true,
                options,
                Duration.ZERO);
    }

    public DisturbedDelegate delegate() {
        return delegate;
    }

    @Override
    public CounterBackend connect() {
        if (restarts) {
            restart();
        }
        return restarts
                ? DatastoreSequenceBackend.create(WithoutTailQueries.service(), options)
                : DatastoreSequenceBackend.create(options);
    }

    private void restart() {
        delegate.restart(() -> {
            helper.tearDown();
            start();
        });
    }

    @Override
    public void enterThread() {
        ApiProxy.setEnvironmentForCurrentThread(environment);
    }

    @Override
    public FaultInjector faults() {
        return this;
    }

    @Override
    public Duration lag() {
        return lag;
    }

    /** A store with stale queries needs many calls for a long sequence. */
    @Override
    public Duration deadline() {
        return lag.isZero() ? BackendFixture.super.deadline() : Duration.ofMinutes(1);
    }

    @Override
    public InjectedFault inject(StoreFault fault, int call) {
        return faults.arm(fault, call, LOST[call % LOST.length]);
    }

    @Override
    public void close() {
        delegate.release();
        helper.tearDown();
    }
}
