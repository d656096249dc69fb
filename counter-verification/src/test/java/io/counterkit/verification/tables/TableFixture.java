package io.counterkit.verification.tables;

import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import java.time.Duration;

/** A fixture of backends over tables, with one mistake or none. */
public final class TableFixture implements BackendFixture {
    private final Tables tables;

    public TableFixture(Mistake mistake) {
        tables = new Tables(mistake);
    }

    @Override
    public CounterBackend connect() {
        return new TableBackend(tables);
    }

    @Override
    public FaultInjector faults() {
        return tables.faults;
    }

    @Override
    public Duration lag() {
        return Duration.ZERO;
    }

    @Override
    public void close() {}
}
