package io.counterkit.verification.broken;

import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;

/** A backend of which each part may be another one. */
final class WithMigration extends ForwardingCounterBackend {
    private final MigrationStore migration;

    WithMigration(CounterBackend backend, CounterStore counters, SequenceStore sequences, MigrationStore migration) {
        super(backend, counters, sequences);
        this.migration = migration;
    }

    @Override
    public MigrationStore migration() {
        return migration;
    }
}
