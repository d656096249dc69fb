package io.counterkit.datastore.cloud;

import com.google.cloud.NoCredentials;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DatastoreOptions;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.datastore.fixture.ArmedFaults;
import io.counterkit.datastore.fixture.DatastoreProxy;
import io.counterkit.datastore.fixture.Disturbance.StoreError;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.UUID;

/**
 * A project of its own in an emulator of the Datastore over HTTP, with a proxy before it that injects faults. Since an
 * emulator examines all entities of a project for each query, a test in a project with few of them is much faster.
 */
final class CloudStore implements BackendFixture, FaultInjector {
    /** What a call fails with, in turns: the server's own errors, a connection that is cut, a proxy's page. */
    private static final StoreError[] ERRORS = {
        StoreError.CONTENTION, StoreError.DEADLINE_EXCEEDED, StoreError.RPC_FAILED, StoreError.INTERNAL_ERROR
    };

    private final String project;
    private final DatastoreProxy proxy;
    private final ArmedFaults faults;
    private final Duration lag;
    private final Duration deadline;

    private CloudStore(String project, DatastoreProxy proxy, Duration lag, Duration deadline) {
        this.project = project;
        this.proxy = proxy;
        this.faults = new ArmedFaults(proxy::disturb, proxy::release);
        this.lag = lag;
        this.deadline = deadline;
    }

    /**
     * @param lag how long queries of the emulator lag
     * @param deadline how long a call may take while several processes contend
     */
    static CloudStore at(String hostAndPort, Duration lag, Duration deadline) {
        return in("demo-" + UUID.randomUUID(), hostAndPort, lag, deadline);
    }

    /** Returns the project that App Engine's client uses too. */
    static CloudStore besideAppEngine() {
        return in(DatastoreProxy.PROJECT, Emulator.FRESH.hostAndPort(), Duration.ZERO, Duration.ofMinutes(1));
    }

    private static CloudStore in(String project, String hostAndPort, Duration lag, Duration deadline) {
        DatastoreProxy proxy = DatastoreProxy.start(project);
        proxy.to(hostAndPort);
        return new CloudStore(project, proxy, lag, deadline);
    }

    DatastoreProxy proxy() {
        return proxy;
    }

    /** Creates a client of an application, with the client's default settings. */
    Datastore client() {
        return client(project, proxy.hostAndPort());
    }

    static Datastore client(String project, String hostAndPort) {
        return DatastoreOptions.newBuilder()
                .setProjectId(project)
                .setHost("http://" + hostAndPort)
                .setCredentials(NoCredentials.getInstance())
                .build()
                .getService();
    }

    @Override
    public DatastoreCounterBackend connect() {
        return connect(DatastoreCounterOptions.defaults());
    }

    DatastoreCounterBackend connect(DatastoreCounterOptions options) {
        return DatastoreCounterBackend.create(client(), options);
    }

    /** Creates counters whose calls have a minute, on a machine that is busy with other tests. */
    static Counters patient(CounterBackend backend) {
        return Counters.over(
                backend,
                CountersOptions.builder().deadline(Duration.ofMinutes(1)).build());
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
    public Duration deadline() {
        return deadline;
    }

    @Override
    public InjectedFault inject(StoreFault fault, int call) {
        return faults.arm(fault, call, () -> ERRORS[proxy.calls() % ERRORS.length]);
    }

    @Override
    public void close() {
        proxy.close();
    }
}
