package io.counterkit.tck;

import io.counterkit.CountersOptions;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;

/**
 * A store on which a backend is tested. The kit creates a fixture before each test and closes it afterwards. The store
 * need not be empty, and fixtures may share one store, since every name in the kit is random.
 */
public interface BackendFixture extends AutoCloseable {
    /** Returns a new backend over this store, which acts as another process. The caller closes it. */
    CounterBackend connect();

    /** Returns the injector that disturbs calls between the connected backends and the store. */
    FaultInjector faults();

    /**
     * Returns how long after a change the store's lists of names, and its list of the largest counters, may still show
     * the earlier state. The kit waits no longer for them. The default is 60 seconds; a store without lag returns zero,
     * so that a wrong list fails its test immediately.
     */
    default Duration lag() {
        return Duration.ofSeconds(60);
    }

    /**
     * Returns how long a call may take while several processes contend. The default is the default deadline of the API.
     * A store in which each process waits seconds for locks may need more.
     */
    default Duration deadline() {
        return CountersOptions.defaults().deadline();
    }

    /**
     * Prepares the calling thread, if the store requires that. The kit calls this method first on each thread that it
     * starts.
     */
    default void enterThread() {}

    /** Releases the resources of the fixture. */
    @Override
    void close();
}
