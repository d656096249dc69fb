package io.counterkit.migration;

import static io.counterkit.migration.MigrationJobSetup.fast;
import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.migration.VerificationReport.Difference;
import io.counterkit.migration.fixture.AlteredEntries;
import io.counterkit.migration.fixture.TwoStores;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Steps that are too short for one sequence: each continues where the last one stopped. */
class LongSequenceInStepsTest {
    private static final int ENTRIES = 2_501;

    /** More than the steps that are needed if none repeats much of another. */
    private static final int MOST_STEPS = 60;

    private final TwoStores stores = new TwoStores();

    /** Ends a step at the sixth question whether it is over, which is after a few hundred entries. */
    private static BooleanSupplier shortStep() {
        AtomicInteger asked = new AtomicInteger();
        return () -> asked.incrementAndGet() > 5;
    }

    private VerificationReport verifyInSteps(MigratingBackend backend) throws InterruptedException {
        VerificationReport sum = VerificationReport.EMPTY;
        String position = null;
        for (int steps = 0; steps == 0 || position != null; steps++) {
            assertThat(steps)
                    .as("steps, of which the last stopped at %s", position)
                    .isLessThan(MOST_STEPS);
            VerificationOptions options = VerificationOptions.builder()
                    .allEntries()
                    .stopWhen(shortStep())
                    .build();
            VerificationReport step = MigrationVerifier.over(backend, options).runFor(Duration.ofHours(1), position);
            sum = sum.plus(step);
            position = step.next();
        }
        return sum;
    }

    private MigrationReport copyInSteps() throws InterruptedException {
        MigrationReport step = MigrationReport.EMPTY;
        String position = null;
        for (int steps = 0; steps == 0 || position != null; steps++) {
            assertThat(steps)
                    .as("steps, of which the last stopped at %s", position)
                    .isLessThan(MOST_STEPS);
            MigrationJobOptions options =
                    fast().copyEntries(true).stopWhen(shortStep()).build();
            step = MigrationJob.over(stores.connect(), options).runFor(Duration.ofHours(1), position);
            assertThat(step.failures()).isEmpty();
            position = step.next();
        }
        return step;
    }

    @Test
    void verification_endsAndComparesEachEntry() throws InterruptedException {
        stores.addSequence(ENTRIES);
        MigrationJob.over(stores.connect(), fast().copyEntries(true).build()).run();

        VerificationReport sum = verifyInSteps(stores.connect());

        assertThat(sum.differences()).isEmpty();
        assertThat(sum.sequences()).isEqualTo(1);
        assertThat(sum.entries()).isEqualTo(ENTRIES);
    }

    @Test
    void verification_checksTheLiveCountsAcrossSteps() throws InterruptedException {
        String sequence = stores.addSequence(1);
        MigrationJob.over(stores.connect(), fast().copyEntries(true).build()).run();
        Sequence moved = stores.counters().sequence(sequence);
        for (int i = 1; i < ENTRIES; i++) {
            moved.next();
        }
        for (long first : List.of(501L, 1_001L, 1_501L, 2_001L)) { // the first entry of each range
            MigratingBackend backend = MigratingBackend.create(
                    stores.connect().source(),
                    AlteredEntries.withCount(stores.connect().target(), first, 7_000_000),
                    stores.connect().options());
            assertThat(verifyInSteps(backend).differences())
                    .extracting(Difference::what)
                    .contains("entry " + first + " (ADDED) has live count 7000000 after " + (first - 1));
        }
    }

    /** The first step of a further run, which searches nothing, reads only as much as its time allows. */
    @Test
    void copyThatIsComplete_isReadInSteps() throws InterruptedException {
        String sequence = stores.addSequence(ENTRIES);
        MigrationJob.over(stores.connect(), fast().copyEntries(true).build()).run();

        MigrationReport step = MigrationJob.over(
                        stores.connect(),
                        fast().copyEntries(true).stopWhen(shortStep()).build())
                .runFor(Duration.ofHours(1), null);

        assertThat(step.next()).endsWith(sequence.replace("/", "%2F") + ":1000");
    }

    /** Erased copies do not show how far the last step came. */
    @Test
    void copyOfErasedEntries_ends() throws InterruptedException {
        String sequence = stores.addSequence(ENTRIES);
        Sequence source = stores.old().sequence(sequence);
        for (int number = 1; number <= ENTRIES; number++) {
            source.erase(number);
        }

        copyInSteps();

        assertThat(TwoStores.entries(stores.atTarget(), sequence))
                .hasSize(ENTRIES)
                .allMatch(Entry::erased);
    }
}
