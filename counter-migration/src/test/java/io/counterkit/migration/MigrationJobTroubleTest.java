package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.Outcome;
import io.counterkit.RampUpLimiter;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.Injection;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.FaultyConnection;
import io.counterkit.migration.fixture.FaultyConnection.Fate;
import io.counterkit.migration.fixture.TwoStores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Jobs that are stopped, disturbed or out of time. */
class MigrationJobTroubleTest extends MigrationJobSetup {
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
    void time_mayBeAsLongAsADurationCan() throws InterruptedException {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
        stores.addCounters(1);

        MigrationReport moved =
                MigrationJob.over(stores.connect(), fast().build()).runFor(longest, null);
        VerificationReport compared = MigrationVerifier.over(
                        stores.connect(), VerificationOptions.builder().build())
                .runFor(longest, null);

        assertThat(moved.counters().moved()).isEqualTo(1);
        assertThat(compared.counters()).isEqualTo(1);
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
    void rampBeyondTheTimeLeft_isNotAwaited() throws InterruptedException {
        stores.addCounters(3);
        RampUpLimiter ramp = RampUpLimiter.of(0.001, 1, Duration.ofHours(5), System::nanoTime);

        MigrationReport report =
                MigrationJob.over(stores.connect(), fast().ramp(ramp).build()).runFor(Duration.ofMinutes(10), null);

        assertThat(report.counters().moved()).isEqualTo(1);
        assertThat(report.next()).startsWith("counters::").endsWith("c0");
    }

    /** Otherwise the ramp would be reserved further ahead in each step, and no later step would move anything. */
    @Test
    void stepsWithASharedRamp_reserveNothingThatTheyDoNotUse() throws InterruptedException {
        int counters = stores.addCounters(6).size();
        AtomicLong clock = new AtomicLong();
        RampUpLimiter ramp = RampUpLimiter.of(1, 1, Duration.ofHours(5), clock::get);
        String position = null;

        for (int moved = 1; moved <= counters; moved++) {
            MigrationReport step = MigrationJob.over(
                            stores.connect(), fast().ramp(ramp).build())
                    .runFor(Duration.ofMillis(900), position);
            assertThat(step.counters().moved()).as("moved in step %s", moved).isEqualTo(1);
            position = step.next();
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
        }
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
}
