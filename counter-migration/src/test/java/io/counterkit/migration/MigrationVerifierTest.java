package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.RampUpLimiter;
import io.counterkit.migration.VerificationReport.Difference;
import io.counterkit.migration.fixture.AlteredEntries;
import io.counterkit.migration.fixture.TwoStores;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MigrationVerifierTest {
    private final TwoStores stores = new TwoStores();
    private final MigrationStore target = stores.connect().target().migration();

    private static Call call() {
        return new Call(Duration.ofSeconds(20), CountersListener.disabled());
    }

    private void move(boolean copyEntries) throws InterruptedException {
        MigrationReport report = MigrationJob.over(
                        stores.connect(),
                        MigrationJobOptions.builder()
                                .ramp(RampUpLimiter.unlimited())
                                .copyEntries(copyEntries)
                                .build())
                .run();
        assertThat(report.isClean()).isTrue();
    }

    private static VerificationOptions.Builder all() {
        return VerificationOptions.builder().allEntries();
    }

    private VerificationReport verify(VerificationOptions.Builder options) throws InterruptedException {
        return MigrationVerifier.over(stores.connect(), options.build()).run();
    }

    private void assertDiffers(VerificationReport report, String name, String what) {
        assertThat(report.differences()).singleElement().satisfies(difference -> {
            assertThat(difference.name()).isEqualTo(name);
            assertThat(difference.what()).contains(what);
        });
        assertThat(report.differing()).isEqualTo(1);
        assertThat(report.isClean()).isFalse();
    }

    @Test
    void movedNames_areEqual() throws InterruptedException {
        stores.addCounters(130);
        stores.addSequence(1234);
        stores.addSequence(1);
        move(true);

        VerificationReport report = verify(all().copiedEntries(true).quietTarget(true));

        assertThat(report.differences()).isEmpty();
        assertThat(report).isEqualTo(new VerificationReport(130, 2, 1235, 0, 0, 0, List.of(), null));
    }

    /** The sum of the adds is outside ±2^62, so that it cannot be read at either place. */
    @Test
    void movedCounterOutOfRange_isEqual() throws InterruptedException {
        String name = stores.addCounters(1).get(0);
        for (int i = 0; i <= Limits.MAX_TOTAL / Limits.MAX_DELTA; i++) {
            stores.old().counter(name).add(-Limits.MAX_DELTA);
        }
        move(true);

        assertThat(verify(all().quietTarget(true)).differences()).isEmpty();
        stores.counters().counter(name).add(Limits.MAX_DELTA);
        assertDiffers(
                verify(all().quietTarget(true)),
                name,
                "began with -4620693217682128896 and holds -4611686018427387904");
    }

    /** Copies the entries alone, and lets a change import one of the two subjects. */
    @Test
    void subjectThatIsUnknownAtTheTarget_isReported() throws InterruptedException {
        String sequence = stores.addSequence(12);
        move(false);
        target.copy(sequence, TwoStores.entries(stores.old(), sequence), call()).join();
        stores.counters().sequence(sequence).append(Change.UPDATED, "subject 10", Map.of());

        assertThat(verify(all()).differences()).isEmpty();
        assertDiffers(verify(all().copiedEntries(true)), sequence, "subject 'subject 3' was not copied");
        move(true);
        assertThat(verify(all().copiedEntries(true)).differences()).isEmpty();
    }

    @Test
    void samples_includeTheEnds() throws InterruptedException {
        stores.addSequence(5000);
        move(true);

        VerificationReport report = verify(VerificationOptions.builder().samples(10));

        assertThat(report.isClean()).isTrue();
        assertThat(report.entries()).isBetween(7L, 20L);
    }

    @Test
    void entriesLeftAtTheSource_areNoDifference() throws InterruptedException {
        String sequence = stores.addSequence(800);
        move(false);
        stores.counters().sequence(sequence).append(Map.of());

        assertThat(verify(all()).differences()).isEmpty();
        assertThat(verify(all()).entries()).as("the one that was appended").isEqualTo(1);
    }

    @Test
    void missingCopies_areDifferencesIfCopiesAreExpected() throws InterruptedException {
        String sequence = stores.addSequence(3);
        move(false);

        VerificationReport report = verify(all().copiedEntries(true));

        assertThat(report.differences())
                .extracting(Difference::what)
                .containsExactly("entry 1 was not copied", "entry 2 was not copied", "entry 3 was not copied");
        assertThat(report.differences()).extracting(Difference::name).containsOnly(sequence);
    }

    @Test
    void changesAfterTheMove_areChecked() throws InterruptedException {
        List<String> counters = stores.addCounters(2);
        String sequence = stores.addSequence(10);
        move(true);
        Counters now = stores.counters();
        now.counter(counters.get(0)).add(5);
        now.sequence(sequence).append(Change.ADDED, "new", Map.of());
        now.sequence(sequence).append(Change.REMOVED, "new", Map.of());

        assertThat(verify(all().copiedEntries(true)).differences()).isEmpty();
        VerificationReport quiet = verify(all().copiedEntries(true).quietTarget(true));
        assertThat(quiet.differences())
                .extracting(Difference::what)
                .containsExactly(
                        "the target began with 0 and holds 5",
                        "the target began with last number 10 and live count 7, and holds last number 12 and live count"
                                + " 7");
    }

    @Test
    void totalThatIsOneHigher_isReported() throws InterruptedException {
        List<String> counters = stores.addCounters(100);
        move(false);
        stores.atTarget().counter(counters.get(42)).increment();

        assertDiffers(verify(all().quietTarget(true)), counters.get(42), "began with 42 and holds 43");
    }

    @Test
    void importedTotalThatIsOneHigher_isReported() throws InterruptedException {
        List<String> counters = stores.addCounters(3);
        stores.old().counter(counters.get(2)).seal("new");
        target.importBase(Kind.COUNTER, counters.get(2), new ImportedState("old", true, 3, 0), call())
                .join();

        assertDiffers(verify(all()), counters.get(2), "sealed at total 2, and the target began at 3");
    }

    @Test
    void lastNumberThatIsOneLower_isReported() throws InterruptedException {
        String sequence = stores.addSequence(2);
        stores.old().sequence(sequence).seal("new");
        target.importBase(Kind.SEQUENCE, sequence, new ImportedState("old", true, 2, 1), call())
                .join();

        VerificationReport report = verify(all());

        assertThat(report.differences().get(0).what()).contains("last number 2, and the target began at 1");
    }

    @Test
    void otherOriginAndPresence_areReported() throws InterruptedException {
        List<String> counters = stores.addCounters(1);
        stores.old().counter(counters.get(0)).seal("new");
        target.importBase(Kind.COUNTER, counters.get(0), new ImportedState("elsewhere", false, 0, 0), call())
                .join();

        assertThat(verify(all()).differences())
                .extracting(Difference::what)
                .containsExactly(
                        "the target was imported from 'elsewhere', not from 'old'",
                        "the source has it, and the target began without it");
    }

    @Test
    void sealWithoutImport_isReported() throws InterruptedException {
        List<String> counters = stores.addCounters(1);
        stores.old().counter(counters.get(0)).seal("new");

        assertDiffers(verify(all()), counters.get(0), "nothing was imported");
    }

    @Test
    void importWithoutSeal_isFound() throws InterruptedException {
        List<String> counters = stores.addCounters(1);
        target.importBase(Kind.COUNTER, counters.get(0), new ImportedState("old", true, 0, 0), call())
                .join();

        assertDiffers(verify(all()), counters.get(0), "the source is not sealed");
    }

    @Test
    void otherAddress_isReported() throws InterruptedException {
        List<String> counters = stores.addCounters(1);
        stores.old().counter(counters.get(0)).seal("elsewhere");

        assertDiffers(verify(all()), counters.get(0), "sealed for 'elsewhere', not for 'new'");
    }

    @Test
    void nameInUseAtBothStores_isReported() throws InterruptedException {
        List<String> counters = stores.addCounters(2);
        stores.atTarget().counter(counters.get(0)).add(1);

        VerificationReport report = verify(all());

        assertDiffers(report, counters.get(0), "was not imported, while the source is open");
        assertThat(report.notMoved()).isEqualTo(2);
    }

    @Test
    void namesAtTheTargetOnly_areCounted() throws InterruptedException {
        stores.atTarget().counter(stores.prefix + "own").add(1);
        stores.atTarget().sequence(stores.prefix + "own").next();
        stores.counters().counter(stores.prefix + "new").add(1);

        VerificationReport report = verify(all());

        assertThat(report.differences()).isEmpty();
        assertThat(report.onlyInTarget()).isEqualTo(2);
        assertThat(report.counters()).as("sealed empty in the source").isEqualTo(1);
    }

    @Test
    void differingCopy_isReportedWithItsDifferences() throws InterruptedException {
        String sequence = stores.addSequence(600);
        move(false);
        Entry original = stores.old().sequence(sequence).read(555, 555).get(0);
        Entry changed = new Entry(555, Instant.EPOCH, original.change(), null, Map.of("a", "b"), 1, false);
        target.copy(sequence, List.of(changed), call()).join();

        assertDiffers(verify(all()), sequence, "entry 555 differs in the live count, the time");
    }

    @Test
    void differingField_isReported() throws InterruptedException {
        String sequence = stores.addSequence(3);
        move(false);
        Entry original = stores.old().sequence(sequence).read(1, 1).get(0);
        Entry changed = new Entry(
                1, original.appendedAt(), original.change(), null, Map.of("a", "b"), original.liveCount(), false);
        target.copy(sequence, List.of(changed), call()).join();

        assertDiffers(verify(all()), sequence, "entry 1 differs in the fields");
    }

    @Test
    void missingEntry_isReportedAtEitherStore() throws InterruptedException {
        String sequence = stores.addSequence(10);
        move(true);
        stores.counters().sequence(sequence).append(Map.of());
        stores.counters().sequence(sequence).append(Map.of());
        MigratingBackend backend = MigratingBackend.create(
                AlteredEntries.without(stores.connect().source(), 4),
                AlteredEntries.without(stores.connect().target(), 11),
                stores.connect().options());

        VerificationReport report =
                MigrationVerifier.over(backend, all().build()).run();

        assertThat(report.differences())
                .extracting(Difference::what)
                .containsExactly("entry 4 is missing in the source", "entry 11 is missing in the target");
    }

    @Test
    void wrongLiveCount_isReported() throws InterruptedException {
        String sequence = stores.addSequence(4);
        move(true);
        for (int i = 0; i < 3; i++) {
            stores.counters().sequence(sequence).next();
        }
        MigratingBackend backend = MigratingBackend.create(
                stores.connect().source(),
                AlteredEntries.withCount(stores.connect().target(), 7, 8),
                stores.connect().options());

        VerificationReport report =
                MigrationVerifier.over(backend, all().build()).run();

        assertThat(report.differences())
                .extracting(Difference::what)
                .containsExactly(
                        "entry 7 (ADDED) has live count 8 after 5",
                        "the last entry has live count 8, and the sequence 6");
    }

    @Test
    void steps_addUpToTheWholeReport() throws InterruptedException {
        List<String> counters = stores.addCounters(130);
        stores.addSequence(20);
        move(true);
        stores.atTarget().counter(counters.get(77)).increment();
        VerificationReport sum = VerificationReport.EMPTY;
        String position = null;
        do {
            AtomicInteger names = new AtomicInteger();
            VerificationOptions options = all().quietTarget(true)
                    .inFlight(1)
                    .listener(report -> names.incrementAndGet())
                    .stopWhen(() -> names.get() >= 9)
                    .build();
            VerificationReport step =
                    MigrationVerifier.over(stores.connect(), options).runFor(Duration.ofHours(1), position);
            sum = sum.plus(step);
            position = step.next();
        } while (position != null);

        assertDiffers(sum, counters.get(77), "began with 77 and holds 78");
        assertThat(sum.counters()).isEqualTo(130);
    }
}
