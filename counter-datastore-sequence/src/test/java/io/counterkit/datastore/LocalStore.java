package io.counterkit.datastore;

import com.google.appengine.tools.development.testing.LocalDatastoreServiceTestConfig;
import com.google.appengine.tools.development.testing.LocalServiceTestHelper;
import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.Environment;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** App Engine's own local Datastore, in this process, with all that happens to calls on the way there. */
final class LocalStore implements BackendFixture, FaultInjector {
    private static final Disturbance.Told[] LOST = {
        Disturbance.Told.TIMEOUT,
        Disturbance.Told.CONTENTION,
        Disturbance.Told.INTERNAL_ERROR,
        Disturbance.Told.DEADLINE_EXCEEDED
    };

    private final LocalServiceTestHelper helper;
    private final Environment environment;
    private final DisturbedDelegate delegate;
    private final DatastoreSequenceOptions options;
    private final Duration lag;

    private LocalStore(LocalDatastoreServiceTestConfig config, DatastoreSequenceOptions options, Duration lag) {
        helper = new LocalServiceTestHelper(config);
        helper.setUp();
        environment = ApiProxy.getCurrentEnvironment();
        delegate = DisturbedDelegate.install();
        this.options = options;
        this.lag = lag;
    }

    /** Queries are strong, as in most of today's Datastores. */
    static LocalStore strong(DatastoreSequenceOptions options) {
        return new LocalStore(new LocalDatastoreServiceTestConfig(), options, Duration.ZERO);
    }

    static LocalStore of(LocalDatastoreServiceTestConfig config, DatastoreSequenceOptions options, Duration lag) {
        return new LocalStore(config, options, lag);
    }

    DisturbedDelegate delegate() {
        return delegate;
    }

    @Override
    public CounterBackend connect() {
        return DatastoreSequenceBackend.create(options);
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

    @Override
    public InjectedFault inject(StoreFault fault, int call) {
        AtomicInteger left = new AtomicInteger(call);
        AtomicBoolean hit = new AtomicBoolean();
        delegate.disturb(method -> {
            if (left.decrementAndGet() != 0) {
                return null;
            }
            hit.set(true);
            Disturbance.Told told = LOST[call % LOST.length];
            return switch (fault) {
                case FAIL_BEFORE -> Disturbance.failBefore(told);
                case LOSE_REPLY -> Disturbance.loseReply(told);
                case HOLD -> Disturbance.hold();
            };
        });
        return new InjectedFault() {
            @Override
            public boolean isHit() {
                return hit.get();
            }

            @Override
            public void close() {
                delegate.release();
            }
        };
    }

    @Override
    public void close() {
        delegate.release();
        helper.tearDown();
    }
}
