package io.counterkit.migration.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.RampUpLimiter;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.migration.MigrationJob;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.MigrationReport;
import io.counterkit.migration.MigrationVerifier;
import io.counterkit.migration.MutantBackend;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.migration.VerificationReport;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.migration.fixture.FaultyConnection;
import io.counterkit.migration.fixture.FaultyConnection.Fate;
import io.counterkit.migration.fixture.MatrixWriter;
import io.counterkit.migration.fixture.TwoStores;
import java.util.List;
import java.util.stream.Stream;

/** A migration of a few names by two processes one after the other, while a writer changes them. */
final class MatrixTrial {
    /** More than one chunk of the copier, and less than a batch in the second. */
    private static final int ENTRIES = 530;

    private final TwoStores stores = new TwoStores();
    private final Mutant mutant;
    private final boolean isBusy;
    private final MatrixWriter writer;

    /** @param isBusy whether the writer runs before each call of the job, or only before and after the processes */
    MatrixTrial(Mutant mutant, boolean isBusy) {
        this.mutant = mutant;
        this.isBusy = isBusy;
        List<String> sequences = List.of(stores.addSequence(ENTRIES), stores.addSequence(3), stores.prefix + "new");
        List<String> counters = Stream.concat(stores.addCounters(3).stream(), Stream.of(stores.prefix + "new"))
                .toList();
        writer = new MatrixWriter(stores.old(), Counters.over(stores.connect()), counters, sequences);
        write();
    }

    private void write() {
        for (int i = 0; i < 12; i++) {
            writer.turn();
        }
    }

    FaultyConnection connection(Fate fate, String side, int at) {
        return new FaultyConnection(fate, side, at, isBusy ? writer::turn : () -> {});
    }

    /** Runs the job in a process, which either is killed or reports no failures. */
    void runUntilKilled(FaultyConnection connection) throws Exception {
        connection
                .run(() -> job(connection))
                .ifPresent(report -> assertThat(report.failures()).isEmpty());
    }

    /** Runs the job to its end in another process, and checks both stores. */
    void finish() throws InterruptedException {
        assertThat(job(connection(Fate.KILLED_AFTER, "", 0)).failures()).isEmpty();
        write();
        assertThat(job(Connection.direct()).failures()).isEmpty(); // names that the writer created behind the job
        writer.assertExact(stores.counters(), stores.atTarget());
        VerificationOptions all =
                VerificationOptions.builder().copiedEntries(true).allEntries().build();
        VerificationReport verified =
                MigrationVerifier.over(stores.connect(), all).run();
        assertThat(verified.differences()).isEmpty();
        assertThat(verified.notMoved()).isZero();
        assertThat(verified.counters() + verified.sequences()).isEqualTo(7);
    }

    private MigrationReport job(Connection connection) throws InterruptedException {
        StorePair pair = new StorePair(
                new ConnectedBackend("source", InMemoryBackend.over(stores.source), connection),
                new ConnectedBackend("target", InMemoryBackend.over(stores.target), connection),
                MigrationOptions.builder("old", "new").rollout(stores.rollout).build(),
                System::nanoTime);
        MigrationJobOptions options = MigrationJobOptions.builder()
                .copyEntries(true)
                .ramp(RampUpLimiter.unlimited())
                .build();
        return MigrationJob.over(MutantBackend.of(pair, mutant), options).run();
    }
}
