package io.counterkit.samples.h2;

import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import java.nio.file.Path;
import java.time.Duration;
import org.h2.jdbcx.JdbcDataSource;

// docs: fixture
/** One database for all tests: every name in the kit is random. */
final class H2Fixture implements BackendFixture {
    private final FaultyWire wire = new FaultyWire();
    private final JdbcDataSource source = new JdbcDataSource();

    H2Fixture(Path directory) {
        source.setURL("jdbc:h2:file:" + directory.resolve("counters") + ";DB_CLOSE_DELAY=-1");
    }

    @Override
    public CounterBackend connect() {
        return H2Backend.create(source, wire);
    }

    @Override
    public FaultInjector faults() {
        return wire.faults();
    }

    /** Lists show at once what was committed. */
    @Override
    public Duration lag() {
        return Duration.ZERO;
    }

    @Override
    public void close() {}
}
// docs: end
