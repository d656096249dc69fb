package io.counterkit.verification.broken.flaw;

import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;

/** A backend of which each part may be another one. */
public final class WithMigration extends ForwardingCounterBackend {
    private final MigrationStore migration;

    public WithMigration(
            CounterBackend backend, CounterStore counters, SequenceStore sequences, MigrationStore migration) {
        super(backend, counters, sequences);
        this.migration = migration;
    }

    @Override
    public MigrationStore migration() {
        return migration;
    }
}
