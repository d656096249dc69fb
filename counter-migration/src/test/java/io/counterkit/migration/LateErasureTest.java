package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Entry;
import io.counterkit.RampUpLimiter;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.migration.fixture.TwoStores;
import io.counterkit.spi.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A process with the source alone erases after the seal, which does not refuse erasures. */
class LateErasureTest {
    private static final VerificationOptions ALL =
            VerificationOptions.builder().copiedEntries(true).allEntries().build();

    private final TwoStores stores = new TwoStores();
    private final String sequence = stores.addSequence(620);

    private void copy(Connection connection) throws InterruptedException {
        MigratingBackend backend = MigratingBackend.create(
                new ConnectedBackend("source", InMemoryBackend.over(stores.source), connection),
                new ConnectedBackend("target", InMemoryBackend.over(stores.target), connection),
                MigrationOptions.builder("old", "new").rollout(stores.rollout).build());
        MigrationJobOptions options = MigrationJobOptions.builder()
                .copyEntries(true)
                .ramp(RampUpLimiter.unlimited())
                .build();
        assertThat(MigrationJob.over(backend, options).run().failures()).isEmpty();
    }

    private void eraseAtSource(long number) {
        stores.old().sequence(sequence).erase(number);
    }

    private Entry copyOf(long number) {
        return stores.atTarget().sequence(sequence).read(number, number).get(0);
    }

    private VerificationReport verify() throws InterruptedException {
        return MigrationVerifier.over(stores.connect(), ALL).run();
    }

    /** Erases between the read of entries and the copy of each batch. */
    @Test
    void entryErasedWhileItIsCopied_isErasedInTheCopy() throws InterruptedException {
        copy(new Connection() {
            private long next = 1;

            @Override
            public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
                if (what.startsWith("target.copy")) {
                    eraseAtSource(next);
                    eraseAtSource(next + 1);
                    next += 100;
                }
                return store.get();
            }
        });

        for (long number : List.of(1L, 2L, 101L, 202L, 401L, 501L, 602L)) {
            assertThat(copyOf(number).erased()).as("entry %s", number).isTrue();
        }
        assertThat(copyOf(603).erased()).isFalse();
        assertThat(verify().differences()).isEmpty();
    }

    @Test
    void entryErasedAfterItWasCopied_isReportedByTheVerifier_andErasedByTheNextRun() throws InterruptedException {
        copy(Connection.direct());
        eraseAtSource(17);
        eraseAtSource(555);
        assertThat(copyOf(17).erased()).isFalse();
        assertThat(verify().differences())
                .hasSize(2)
                .allSatisfy(difference -> assertThat(difference.what()).contains("erased"));

        copy(Connection.direct());

        assertThat(copyOf(17).erased()).isTrue();
        assertThat(copyOf(555).erased()).isTrue();
        assertThat(verify().differences()).isEmpty();
    }

    /** Erases an entry at both stores after its copy is read, and before the original is. */
    @Test
    void entryErasedWhileItIsVerified_isNoDifference() throws InterruptedException {
        copy(Connection.direct());
        AtomicBoolean hasErased = new AtomicBoolean();
        MigratingBackend verified = stores.connect(new Connection() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
                if (what.startsWith("source.entries") && !hasErased.getAndSet(true)) {
                    stores.counters().sequence(sequence).erase(17);
                }
                return store.get();
            }
        });

        assertThat(MigrationVerifier.over(verified, ALL).run().differences()).isEmpty();
        assertThat(hasErased).isTrue();
        assertThat(copyOf(17).erased()).isTrue();
    }
}
