package io.counterkit.datastore;

import io.counterkit.datastore.fixture.ArmedFaults;
import io.counterkit.datastore.fixture.DisturbedDelegate;
import io.counterkit.datastore.fixture.LocalStore;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import java.nio.file.Path;
import java.time.Duration;

/** The local Datastore of a directory, for threads without an environment of their own. */
final class LocalDatastoreFixture implements BackendFixture, FaultInjector {
    private final LocalDatastore datastore;
    private final DisturbedDelegate delegate;
    private final ArmedFaults faults;

    LocalDatastoreFixture(Path directory) {
        datastore = LocalDatastore.open(directory, Durability.EACH_COMMIT);
        delegate = DisturbedDelegate.install();
        faults = new ArmedFaults(delegate::disturb, delegate::release);
    }

    @Override
    public CounterBackend connect() {
        return datastore.backend();
    }

    @Override
    public FaultInjector faults() {
        return this;
    }

    @Override
    public Duration lag() {
        return Duration.ZERO;
    }

    @Override
    public InjectedFault inject(StoreFault fault, int call) {
        return faults.arm(fault, call, LocalStore.LOST.get(call % LocalStore.LOST.size()));
    }

    @Override
    public void close() {
        delegate.release();
        datastore.close();
    }
}
