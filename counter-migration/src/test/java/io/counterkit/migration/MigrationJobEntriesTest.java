package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Sequence;
import io.counterkit.migration.fixture.AlteredEntries;
import io.counterkit.migration.fixture.TwoStores;
import io.counterkit.spi.Call;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Jobs that copy entries. */
class MigrationJobEntriesTest extends MigrationJobSetup {
    @Test
    void copyEntries_copiesThemUnchanged() throws InterruptedException {
        String sequence = stores.addSequence(1234);
        List<Entry> before = TwoStores.entries(stores.old(), sequence);

        MigrationReport report = run(fast().copyEntries(true));

        assertThat(report.sequences()).isEqualTo(new MigrationReport.Part(1, 0, 0, 0, 1234, 0, 0));
        assertThat(TwoStores.entries(stores.atTarget(), sequence)).isEqualTo(before);
    }

    @Test
    void existingCopies_areKept() throws InterruptedException {
        String sequence = stores.addSequence(900);
        run(fast());
        stores.counters().sequence(sequence).erase(700);
        List<Entry> before = TwoStores.entries(stores.counters(), sequence);

        MigrationReport report = run(fast().copyEntries(true));

        assertThat(report.sequences()).isEqualTo(new MigrationReport.Part(0, 1, 0, 0, 899, 1, 0));
        assertThat(TwoStores.entries(stores.atTarget(), sequence)).isEqualTo(before);
    }

    /** The target's own entries, and an entry copied by its erasure, do not count as copies. */
    @Test
    void stoppedBeforeTheEntries_copiesAllOfThemAfterTheSequenceWasUsed() throws InterruptedException {
        String sequence = stores.addSequence(501);
        AtomicInteger events = new AtomicInteger();
        MigrationJobOptions.Builder options = fast().copyEntries(true)
                .listener(report -> events.incrementAndGet())
                .stopWhen(() -> events.get() > 0);
        MigrationReport stopped =
                MigrationJob.over(stores.connect(), options.build()).runFor(Duration.ofHours(1), null);
        assertThat(stopped.sequences().moved()).isEqualTo(1);
        assertThat(stopped.sequences().copied()).isZero();
        Counters migrating = stores.counters();
        migrating.sequence(sequence).erase(501);
        for (long number = 502; number <= 511; number++) {
            assertThat(migrating.sequence(sequence).next()).isEqualTo(number);
        }

        MigrationReport report = MigrationJob.over(
                        stores.connect(), fast().copyEntries(true).build())
                .runFor(Duration.ofHours(1), stopped.next());

        assertThat(report.failures()).isEmpty();
        assertThat(stores.atTarget().sequence(sequence).read(1, 511))
                .extracting(Entry::number)
                .isEqualTo(LongStream.rangeClosed(1, 511).boxed().toList());
    }

    @Test
    void missingEntryOfTheSource_isReportedAndNotCreated() throws InterruptedException {
        String sequence = stores.addSequence(20);
        MigratingBackend backend = MigratingBackend.create(
                AlteredEntries.without(stores.connect().source(), 13),
                stores.connect().target(),
                MigrationOptions.builder("old", "new").rollout(stores.rollout).build());

        MigrationReport report =
                MigrationJob.over(backend, fast().copyEntries(true).build()).run();

        assertThat(report.failures())
                .singleElement()
                .satisfies(failed ->
                        assertThat(failed.reason()).contains("the source has 19 of the 20 entries from 1 to 20"));
        Call call = new Call(Duration.ofSeconds(10), CountersListener.disabled());
        assertThat(stores.connect()
                        .target()
                        .sequences()
                        .read(sequence, new NumberRange(1, 20), call)
                        .join())
                .isEmpty();
    }

    @Test
    void copyEntries_letsTheTargetKnowTheSubjectsWithoutTheSource() throws InterruptedException {
        String sequence = stores.addSequence(600); // subject 3 was removed by entry 5, and subject 10 is live
        run(fast());
        stores.counters().sequence(sequence).erase(10);
        stores.counters().sequence(sequence).append(Change.REMOVED, "subject 24", Map.of());

        MigrationReport report = run(fast().copyEntries(true));

        assertThat(report.failures()).isEmpty();
        Sequence alone = stores.atTarget().sequence(sequence);
        for (String live : List.of("subject 10", "subject 38", "subject 598")) {
            assertThatExceptionOfType(ChangeRefusedException.class)
                    .isThrownBy(() -> alone.append(Change.ADDED, live, Map.of()));
        }
        for (String removed : List.of("subject 3", "subject 24", "unknown")) {
            assertThatExceptionOfType(ChangeRefusedException.class)
                    .isThrownBy(() -> alone.append(Change.REMOVED, removed, Map.of()));
        }
        assertThat(alone.append(Change.REMOVED, "subject 598", Map.of()).number())
                .isEqualTo(602);
    }
}
