package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Outcome;
import io.counterkit.RampUpLimiter;
import io.counterkit.SealedException;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.Injection;
import io.counterkit.migration.FaultyConnection.Fate;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MigrationJobTest {
    private final TwoStores stores = new TwoStores();

    private static MigrationJobOptions.Builder fast() {
        return MigrationJobOptions.builder().ramp(RampUpLimiter.unlimited());
    }

    private MigrationReport run(MigrationJobOptions.Builder options) throws InterruptedException {
        return MigrationJob.over(stores.connect(), options.build()).run();
    }

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

    @Test
    void stoppedAnywhere_resumesFromThere() throws InterruptedException {
        List<String> counters = stores.addCounters(120);
        String sequence = stores.addSequence(2500);
        List<Entry> before = TwoStores.entries(stores.old(), sequence);
        String position = null;
        MigrationReport all = MigrationReport.EMPTY;
        int steps = 0;
        do {
            AtomicInteger events = new AtomicInteger();
            MigrationJobOptions.Builder options = fast().copyEntries(true)
                    .inFlight(3)
                    .listener(report -> events.incrementAndGet())
                    .stopWhen(() -> events.get() >= 7);
            MigrationReport step =
                    MigrationJob.over(stores.connect(), options.build()).runFor(Duration.ofHours(1), position);
            all = all.plus(step);
            position = step.next();
            steps++;
        } while (position != null && steps < 1000);

        assertThat(steps).isBetween(20, 999);
        assertThat(all.isClean()).isTrue();
        assertThat(all.counters().moved()).isEqualTo(120);
        assertThat(all.sequences().copied()).isEqualTo(2500);
        assertThat(TwoStores.entries(stores.atTarget(), sequence)).isEqualTo(before);
        assertThat(stores.atTarget().counter(counters.get(119)).get()).isEqualTo(119);
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
    void withoutTime_changesNothing() throws InterruptedException {
        stores.addCounters(1);

        MigrationReport report =
                MigrationJob.over(stores.connect(), fast().build()).runFor(Duration.ZERO, null);

        assertThat(report.next()).isEqualTo("counters::");
        assertThat(report.counters()).isEqualTo(MigrationReport.Part.NONE);
        assertThat(stores.target.dump().counters()).isEmpty();
    }

    @Test
    void invalidPosition_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        MigrationJob.over(stores.connect(), fast().build()).runFor(Duration.ofSeconds(1), "nowhere::"))
                .withMessageContaining("'nowhere::'");
    }

    @Test
    void failingName_isReportedAndDoesNotStopTheOthers() throws InterruptedException {
        List<String> counters = stores.addCounters(20);
        stores.atTarget().counter(counters.get(7)).add(1);

        MigrationReport report = run(fast());

        assertThat(report.isClean()).isFalse();
        assertThat(report.counters()).isEqualTo(new MigrationReport.Part(19, 0, 0, 1, 0, 0, 0));
        assertThat(report.failures()).singleElement().satisfies(failed -> {
            assertThat(failed.name()).isEqualTo(counters.get(7));
            assertThat(failed.reason()).contains("target holds something");
        });
        assertThat(stores.old().counter(counters.get(7)).get()).isEqualTo(7);
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

    @Test
    void percent_movesTheIncludedNames() throws InterruptedException {
        stores.addCounters(200);
        stores.rollout.set(30);

        MigrationReport report = run(fast());

        assertThat(report.counters().moved()).isBetween(30L, 90L);
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
    void listenerThatThrows_endsTheJobAndFailsNoName() throws InterruptedException {
        stores.addCounters(30);
        IllegalStateException thrown = new IllegalStateException("no more");
        AtomicInteger heard = new AtomicInteger();

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> run(fast().inFlight(4).listener(report -> {
                    assertThat(report.failures()).isEmpty();
                    if (heard.incrementAndGet() == 3) {
                        throw thrown;
                    }
                })))
                .isSameAs(thrown);

        assertThat(heard).hasValue(3);
        MigrationReport rest = run(fast());
        assertThat(rest.failures()).isEmpty();
        assertThat(rest.counters().alreadyMoved()).isBetween(3L, 7L);
        assertThat(rest.counters().moved() + rest.counters().alreadyMoved()).isEqualTo(30);
    }

    /** A backend reports an unknown outcome by a foreign exception, as for a copy whose reply was lost. */
    @Test
    void unknownOutcome_isRetried() throws InterruptedException {
        String sequence = stores.addSequence(30);
        FaultyConnection connection = new FaultyConnection(Fate.REPLY_LOST, "target.copy", 1, () -> {});
        MigratingBackend backend = MigratingBackend.create(
                InMemoryBackend.over(stores.source),
                new ConnectedBackend("target", InMemoryBackend.over(stores.target), connection),
                MigrationOptions.builder("old", "new").rollout(stores.rollout).build());

        MigrationReport report =
                MigrationJob.over(backend, fast().copyEntries(true).build()).run();

        assertThat(report.failures()).isEmpty();
        assertThat(connection.calls().stream().filter(call -> call.startsWith("target.copy")))
                .hasSize(2);
        assertThat(stores.atTarget().sequence(sequence).read(1, 30)).hasSize(30);
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
    void ramp_countsNamesAndEntries() throws InterruptedException {
        stores.addCounters(3);
        stores.addSequence(250);
        RampUpLimiter ramp = RampUpLimiter.of(100_000, 1, Duration.ofMinutes(5), () -> 0);

        run(fast().copyEntries(true).ramp(ramp));

        assertThat(ramp.reserve(0)).isEqualTo(Duration.ofSeconds(254).toNanos() / 100_000);
    }

    @Test
    void rampBeyondTheTimeLeft_isNotAwaited() throws InterruptedException {
        stores.addCounters(3);
        RampUpLimiter ramp = RampUpLimiter.of(0.001, 1, Duration.ofHours(5), System::nanoTime);

        MigrationReport report =
                MigrationJob.over(stores.connect(), fast().ramp(ramp).build()).runFor(Duration.ofMinutes(10), null);

        assertThat(report.counters().moved()).isEqualTo(1);
        assertThat(report.next()).startsWith("counters::").endsWith("c0");
    }

    @Test
    void faultsAtBothStores_endInAnExactMove() throws InterruptedException {
        List<String> counters = stores.addCounters(60);
        String sequence = stores.addSequence(1100);
        List<Entry> before = TwoStores.entries(stores.old(), sequence);
        long seed = Long.getLong("counterkit.seed", System.nanoTime());
        List<Injection> faults = new ArrayList<>();
        for (var store : List.of(stores.source, stores.target)) {
            for (Fault fault : List.of(Fault.FAIL, Fault.LOSE_REPLY)) {
                faults.add(store.faults()
                        .inject(fault, Calls.all().withChance(0.08, new Random(seed + faults.size()))));
            }
        }

        for (int i = 0; i < 5; i++) {
            try {
                run(fast().copyEntries(true));
            } catch (CounterException e) {
                assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED);
            }
        }
        faults.forEach(Injection::release);
        MigrationReport report = run(fast().copyEntries(true));

        assertThat(report.isClean()).as("seed %s: %s", seed, report.failures()).isTrue();
        assertThat(TwoStores.entries(stores.atTarget(), sequence))
                .as("seed %s", seed)
                .isEqualTo(before);
        for (int i = 0; i < counters.size(); i++) {
            assertThat(stores.atTarget().counter(counters.get(i)).get())
                    .as("seed %s", seed)
                    .isEqualTo(i);
        }
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
}
