package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.NotAppliedException;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A target that can be read and imports nothing, for instance since a user lacks a privilege. A seal is permanent. */
class RefusedImportTest extends MigrationJobSetup {
    private static final int NAMES = 20;
    private static final int IN_FLIGHT = 4;

    private final AtomicBoolean isReadOnly = new AtomicBoolean(true);
    private final List<String> counters = stores.addCounters(NAMES);

    private MigratingBackend connect() {
        return stores.connect(new Connection() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
                return isReadOnly.get() && what.startsWith("target.import")
                        ? CompletableFuture.failedFuture(new NotAppliedException("only reads are permitted"))
                        : store.get();
            }
        });
    }

    private List<String> sealed() {
        return counters.stream()
                .filter(name -> stores.sealOf(Kind.COUNTER, name) != null)
                .toList();
    }

    @Test
    void job_sealsNoMoreNames_andTheOthersStayUsable() throws InterruptedException {
        MigratingBackend backend = connect();

        MigrationReport report =
                MigrationJob.over(backend, fast().inFlight(IN_FLIGHT).build()).run();

        assertThat(report.counters().failed()).isEqualTo(NAMES);
        assertThat(sealed()).hasSize(1);
        assertThat(report.failures())
                .filteredOn(failed -> !sealed().contains(failed.name()))
                .allSatisfy(failed -> assertThat(failed.reason())
                        .startsWith("move of '" + failed.name()
                                + "': nothing was sealed, since the target does not import '")
                        .endsWith("', which is sealed: only reads are permitted"));

        isReadOnly.set(false);
        assertThat(MigrationJob.over(backend, fast().build()).run().counters().moved())
                .isEqualTo(NAMES);
    }

    @Test
    void changes_sealNoMoreNames_untilTheTargetImportsAgain() {
        Counters process = Counters.over(connect());
        for (String name : counters) {
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(process.counter(name)::increment)
                    .withMessageContaining("only reads are permitted");
        }
        assertThat(sealed()).hasSize(1);

        isReadOnly.set(false);
        for (Counter counter : counters.stream().map(process::counter).toList()) {
            counter.increment();
        }
        assertThat(stores.atTarget().counter(counters.get(7)).get()).isEqualTo(8);
    }

    @Test
    void sealedNameThatTheTargetHolds_doesNotStopTheOthers() throws InterruptedException {
        isReadOnly.set(false);
        String held = counters.get(0);
        stores.old().counter(held).seal("new");
        stores.atTarget().counter(held).add(1);

        MigrationReport report =
                MigrationJob.over(connect(), fast().inFlight(IN_FLIGHT).build()).run();

        assertThat(report.counters().moved()).isEqualTo(NAMES - 1);
        assertThat(report.failures()).extracting(MigrationReport.Failure::name).containsExactly(held);
    }

    /** Connects to a target that has no place for one name, and can be read under it as under any other. */
    private MigratingBackend connectWithout(String name) {
        CounterBackend target = stores.connect().target();
        MigrationStore migration = new ForwardingMigrationStore(target.migration()) {
            @Override
            public @Nullable NotAppliedException refusalOf(Kind kind, String asked) {
                return asked.equals(name) ? new NotAppliedException("it holds other data") : null;
            }

            @Override
            public CompletableFuture<ImportedState> importBase(Kind kind, String asked, ImportedState base, Call call) {
                return asked.equals(name)
                        ? CompletableFuture.failedFuture(refusalOf(kind, asked))
                        : super.importBase(kind, asked, base, call);
            }
        };
        return MigratingBackend.create(
                stores.connect().source(),
                new ForwardingCounterBackend(target, target.counters(), target.sequences()) {
                    @Override
                    public MigrationStore migration() {
                        return migration;
                    }
                },
                stores.connect().options());
    }

    @Test
    void nameThatTheTargetCanNeverImport_isNotSealed() throws InterruptedException {
        String reserved = counters.get(0);
        MigratingBackend backend = connectWithout(reserved);

        MigrationReport possible =
                MigrationJob.over(backend, fast().dryRun(true).build()).run();
        MigrationReport report =
                MigrationJob.over(backend, fast().inFlight(IN_FLIGHT).build()).run();

        assertThat(List.of(possible, report)).allSatisfy(run -> {
            assertThat(run.counters().moved()).isEqualTo(NAMES - 1);
            assertThat(run.failures())
                    .containsExactly(new MigrationReport.Failure(
                            Kind.COUNTER,
                            reserved,
                            "move of '" + reserved
                                    + "': the target can never import it, so this attempt did not seal it: it holds"
                                    + " other data"));
        });
        assertThat(sealed()).doesNotContain(reserved);
        stores.old().counter(reserved).increment();
    }

    /** An application may seal a name by itself. */
    @Test
    void sealedNameThatTheTargetCanNeverImport_doesNotStopTheOthers() throws InterruptedException {
        String reserved = counters.get(0);
        stores.old().counter(reserved).seal("new");

        MigrationReport report = MigrationJob.over(
                        connectWithout(reserved), fast().inFlight(IN_FLIGHT).build())
                .run();

        assertThat(report.counters().moved()).isEqualTo(NAMES - 1);
        assertThat(report.failures()).extracting(MigrationReport.Failure::name).containsExactly(reserved);
    }
}
