package io.counterkit.tck;

import io.counterkit.CountersOptions;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;

/**
 * One store to test a backend on, made before each test and closed after it. The store need not be empty, and may be
 * the same for all tests: every name in the kit is random.
 */
public interface BackendFixture extends AutoCloseable {
    /** A new backend over this store, which acts as one more process. Whoever asks for it closes it. */
    CounterBackend connect();

    /** Disturbs the calls between the connected backends and the store. */
    FaultInjector faults();

    /**
     * How long after a change the store's lists of names, and its list of the largest counters, may still show what was
     * before. The kit waits no longer for them, so a store that does not lag says so and learns of a mistake at once.
     */
    default Duration lag() {
        return Duration.ofSeconds(60);
    }

    /**
     * How long a call may take when several processes are in one another's way. A store that lets each of them wait
     * seconds for locks may need more than the default deadline of the API, which this is unless it says otherwise.
     */
    default Duration deadline() {
        return CountersOptions.defaults().deadline();
    }

    /** Prepares the calling thread, where the store asks for that. The kit calls it first on each thread it makes. */
    default void enterThread() {}

    /** Frees what the fixture holds. */
    @Override
    void close();
}
