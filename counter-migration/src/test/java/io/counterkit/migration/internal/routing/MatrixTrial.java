package io.counterkit.migration.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.RampUpLimiter;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.migration.FatefulWire;
import io.counterkit.migration.FatefulWire.Fate;
import io.counterkit.migration.MatrixWriter;
import io.counterkit.migration.MigrationJob;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.MigrationReport;
import io.counterkit.migration.MigrationVerifier;
import io.counterkit.migration.MutantBackend;
import io.counterkit.migration.TwoStores;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.migration.VerificationReport;
import io.counterkit.migration.Wire;
import io.counterkit.migration.WiredBackend;
import java.util.List;
import java.util.stream.Stream;

/** A migration of a few names by two processes one after the other, and a writer that is at work all the time. */
final class MatrixTrial {
    /** More than one chunk of the copier, the second of less than a batch. */
    private static final int ENTRIES = 530;

    private final TwoStores stores = new TwoStores();
    private final Mutant mutant;
    private final boolean isBusy;
    private final MatrixWriter writer;

    /** @param isBusy whether the writer has its turn before each call of the job, or before and after the processes only */
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

    FatefulWire wire(Fate fate, String side, int at) {
        return new FatefulWire(fate, side, at, isBusy ? writer::turn : () -> {});
    }

    /** Lets a process run the job, which is forgotten when it is killed and is without failures otherwise. */
    void runUntilKilled(FatefulWire wire) throws Exception {
        wire.run(() -> job(wire))
                .ifPresent(report -> assertThat(report.failures()).isEmpty());
    }

    /** Lets another process run the job to its end, and looks. */
    void finish() throws InterruptedException {
        assertThat(job(wire(Fate.KILLED_AFTER, "", 0)).failures()).isEmpty();
        write();
        assertThat(job(Wire.open()).failures()).isEmpty(); // what the writer began after the job had passed by
        writer.assertExact(stores.counters(), stores.atTarget());
        VerificationOptions all =
                VerificationOptions.builder().copiedEntries(true).allEntries().build();
        VerificationReport verified =
                MigrationVerifier.over(stores.connect(), all).run();
        assertThat(verified.differences()).isEmpty();
        assertThat(verified.notMoved()).isZero();
        assertThat(verified.counters() + verified.sequences()).isEqualTo(7);
    }

    private MigrationReport job(Wire wire) throws InterruptedException {
        StorePair pair = new StorePair(
                new WiredBackend("source", InMemoryBackend.over(stores.source), wire),
                new WiredBackend("target", InMemoryBackend.over(stores.target), wire),
                MigrationOptions.builder("old", "new").rollout(stores.rollout).build(),
                System::nanoTime);
        MigrationJobOptions options = MigrationJobOptions.builder()
                .copyEntries(true)
                .ramp(RampUpLimiter.unlimited())
                .build();
        return MigrationJob.over(MutantBackend.of(pair, mutant), options).run();
    }
}
