package io.counterkit.datastore.cloud;

import com.google.cloud.NoCredentials;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DatastoreOptions;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.datastore.ArmedFaults;
import io.counterkit.datastore.DatastoreProxy;
import io.counterkit.datastore.Disturbance.StoreError;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import java.time.Duration;

/** An emulator of the Datastore over HTTP, with a proxy before it that injects faults. */
final class CloudStore implements BackendFixture, FaultInjector {
    /** What a call fails with, in turns: the server's own errors, a connection that is cut, a proxy's page. */
    private static final StoreError[] ERRORS = {
        StoreError.CONTENTION, StoreError.DEADLINE_EXCEEDED, StoreError.RPC_FAILED, StoreError.INTERNAL_ERROR
    };

    private static final DatastoreProxy PROXY = DatastoreProxy.start();

    private final ArmedFaults faults = new ArmedFaults(PROXY::disturb, PROXY::release);
    private final Duration lag;
    private final Duration deadline;

    private CloudStore(Duration lag, Duration deadline) {
        this.lag = lag;
        this.deadline = deadline;
    }

    /**
     * @param lag how long queries of the emulator lag
     * @param deadline how long a call may take while several processes contend
     */
    static CloudStore at(String hostAndPort, Duration lag, Duration deadline) {
        PROXY.to(hostAndPort);
        return new CloudStore(lag, deadline);
    }

    static DatastoreProxy proxy() {
        return PROXY;
    }

    /** Creates a client of an application, with the client's default settings. */
    static Datastore client(String hostAndPort) {
        return DatastoreOptions.newBuilder()
                .setProjectId(DatastoreProxy.PROJECT)
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
        return DatastoreCounterBackend.create(client(PROXY.hostAndPort()), options);
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
        return faults.arm(fault, call, ERRORS[call % ERRORS.length]);
    }

    @Override
    public void close() {
        PROXY.release();
    }
}
