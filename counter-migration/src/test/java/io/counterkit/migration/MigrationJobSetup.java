package io.counterkit.migration;

import io.counterkit.RampUpLimiter;
import io.counterkit.migration.fixture.TwoStores;

/** Two stores with names to move, and jobs without a ramp. */
abstract class MigrationJobSetup {
    final TwoStores stores = new TwoStores();

    static MigrationJobOptions.Builder fast() {
        return MigrationJobOptions.builder().ramp(RampUpLimiter.unlimited());
    }

    MigrationReport run(MigrationJobOptions.Builder options) throws InterruptedException {
        return MigrationJob.over(stores.connect(), options.build()).run();
    }
}
