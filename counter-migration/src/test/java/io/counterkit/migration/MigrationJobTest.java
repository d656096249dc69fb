package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.RampUpLimiter;
import io.counterkit.SealedException;
import io.counterkit.migration.fixture.TwoStores;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a job moves and reports, and its options. */
class MigrationJobTest extends MigrationJobSetup {
    @Test
    void run_movesEveryNameAndLeavesTheEntries() throws InterruptedException {
        List<String> counters = stores.addCounters(250);
        String sequence = stores.addSequence(30);
        List<Entry> before = TwoStores.entries(stores.old(), sequence);

        MigrationReport report = run(fast());

        assertThat(report.isClean()).isTrue();
        assertThat(report.next()).isNull();
        assertThat(report.counters()).isEqualTo(new MigrationReport.Part(250, 0, 0, 0, 0, 0, 0));
        assertThat(report.sequences()).isEqualTo(new MigrationReport.Part(1, 0, 0, 0, 0, 0, 30));
        Counters target = stores.atTarget();
        for (int i = 0; i < counters.size(); i++) {
            assertThat(target.counter(counters.get(i)).get()).isEqualTo(i);
        }
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> stores.old().counter(counters.get(0)).increment());
        assertThat(target.sequence(sequence).read(1, 30)).isEmpty();
        assertThat(stores.counters().sequence(sequence).read(1, 30)).isEqualTo(before);
        assertThat(stores.counters().sequence(sequence).next()).isEqualTo(31);
    }

    @Test
    void secondRun_findsAllMoved() throws InterruptedException {
        stores.addCounters(3);
        stores.addSequence(600);
        run(fast().copyEntries(true));

        MigrationReport report = run(fast().copyEntries(true));

        assertThat(report.counters()).isEqualTo(new MigrationReport.Part(0, 3, 0, 0, 0, 0, 0));
        assertThat(report.sequences()).isEqualTo(new MigrationReport.Part(0, 1, 0, 0, 0, 600, 0));
    }

    @Test
    void baseWithoutSeal_fails_andSealWithoutBaseIsCompleted() throws InterruptedException {
        List<String> counters = stores.addCounters(3);
        Call call = new Call(Duration.ofSeconds(10), CountersListener.disabled());
        stores.connect()
                .target()
                .migration()
                .importBase(Kind.COUNTER, counters.get(1), new ImportedState("old", true, 1, 0), call)
                .join();
        stores.old().counter(counters.get(2)).seal("new");
        stores.rollout.set(0);

        MigrationReport report = run(fast());

        assertThat(report.counters()).isEqualTo(new MigrationReport.Part(1, 0, 1, 1, 0, 0, 0));
        assertThat(report.failures())
                .singleElement()
                .satisfies(failed -> assertThat(failed.name()).isEqualTo(counters.get(1)));
        assertThat(stores.atTarget().counter(counters.get(2)).get()).isEqualTo(2);
    }

    /** The other processes of this migration would refuse these names. */
    @ParameterizedTest
    @CsvSource({"another, new, the target was imported from 'old'", "old, elsewhere, the source is sealed for 'new'"})
    void nameThatMovedUnderOtherNames_fails(String origin, String forward, String reason) throws InterruptedException {
        String counter = stores.addCounters(2).get(1);
        String sequence = stores.addSequence(1);
        run(fast().copyEntries(true));

        MigrationReport report = MigrationJob.over(
                        stores.connect(origin, forward),
                        fast().copyEntries(true).build())
                .run();

        assertThat(report.counters()).isEqualTo(new MigrationReport.Part(0, 0, 0, 2, 0, 0, 0));
        assertThat(report.sequences()).isEqualTo(new MigrationReport.Part(0, 0, 0, 1, 0, 0, 0));
        assertThat(report.failures())
                .filteredOn(failed -> List.of(counter, sequence).contains(failed.name()))
                .hasSize(2)
                .allSatisfy(failed -> assertThat(failed.reason()).contains(reason));
    }

    @Test
    void percent_movesTheIncludedNames() throws InterruptedException {
        List<String> counters = stores.addCounters(200);
        stores.rollout.set(30);
        long included = counters.stream()
                .filter(name -> stores.rollout.includes(Kind.COUNTER, name))
                .count();

        MigrationReport report = run(fast());

        assertThat(report.counters().moved()).isEqualTo(included).isBetween(1L, 199L);
        assertThat(report.counters().waiting())
                .isEqualTo(200 - report.counters().moved());
        stores.rollout.set(100);
        assertThat(run(fast()).counters().moved()).isEqualTo(report.counters().waiting());
    }

    @Test
    void prefix_excludesOtherNames() throws InterruptedException {
        stores.addCounters(12);

        MigrationReport report = run(fast().prefix(stores.prefix + "c1"));

        assertThat(report.counters().moved()).isEqualTo(3);
    }

    @Test
    void shares_coverAllNames() throws InterruptedException {
        stores.addCounters(90);

        List<Long> moved = new ArrayList<>();
        for (int share = 1; share <= 3; share++) {
            moved.add(run(fast().share(share, 3)).counters().moved());
        }

        assertThat(moved).allSatisfy(some -> assertThat(some).isPositive());
        assertThat(moved.stream().mapToLong(Long::longValue).sum()).isEqualTo(90);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fast().share(4, 3))
                .withMessageContaining("share 4 of 3");
    }

    @Test
    void dryRun_reportsTheWorkAndChangesNothing() throws InterruptedException {
        stores.addCounters(5);
        stores.addSequence(700);

        MigrationReport report = run(fast().copyEntries(true).dryRun(true));

        assertThat(report.counters()).isEqualTo(new MigrationReport.Part(5, 0, 0, 0, 0, 0, 0));
        assertThat(report.sequences()).isEqualTo(new MigrationReport.Part(1, 0, 0, 0, 700, 0, 0));
        assertThat(stores.target.dump().counters()).isEmpty();
        assertThat(stores.old().sequence(stores.prefix + "s0").next()).isEqualTo(701);
        run(fast());
        assertThat(run(fast().copyEntries(true).dryRun(true)).sequences())
                .isEqualTo(new MigrationReport.Part(0, 1, 0, 0, 701, 0, 0));
    }

    @Test
    void dryRun_failsTheNamesThatAMoveRefuses() throws InterruptedException {
        String counter = stores.addCounters(3).get(1);
        String sequence = stores.addSequence(2);
        stores.atTarget().counter(counter).add(1);
        stores.atTarget().sequence(sequence).next();

        MigrationReport report = run(fast().dryRun(true));

        assertThat(report.counters()).isEqualTo(new MigrationReport.Part(2, 0, 0, 1, 0, 0, 0));
        assertThat(report.sequences()).isEqualTo(new MigrationReport.Part(0, 0, 0, 1, 0, 0, 0));
        assertThat(report.failures()).isEqualTo(run(fast()).failures());
    }

    @Test
    void ramp_countsNamesEntriesAndSubjects() throws InterruptedException {
        stores.addCounters(3);
        stores.addSequence(250);
        RampUpLimiter ramp = RampUpLimiter.of(100_000, 1, Duration.ofMinutes(5), () -> 0);

        run(fast().copyEntries(true).ramp(ramp));

        assertThat(ramp.reserve(0)).isEqualTo(Duration.ofSeconds(4 + 250 + 36).toNanos() / 100_000);
    }

    @Test
    void severalJobsAtOnce_moveEachNameOnce() throws Exception {
        List<String> counters = stores.addCounters(150);
        String sequence = stores.addSequence(1500);
        List<Entry> before = TwoStores.entries(stores.old(), sequence);
        ExecutorService processes = Executors.newFixedThreadPool(3);
        try {
            List<Future<MigrationReport>> jobs = processes.invokeAll(List.<Callable<MigrationReport>>of(
                    () -> run(fast().copyEntries(true)),
                    () -> run(fast().copyEntries(true)),
                    () -> run(fast().copyEntries(true))));
            for (Future<MigrationReport> job : jobs) {
                assertThat(job.get().isClean()).as("%s", job.get().failures()).isTrue();
            }
        } finally {
            processes.shutdown();
        }

        assertThat(TwoStores.entries(stores.atTarget(), sequence)).isEqualTo(before);
        for (int i = 0; i < counters.size(); i++) {
            assertThat(stores.atTarget().counter(counters.get(i)).get()).isEqualTo(i);
        }
    }
}
