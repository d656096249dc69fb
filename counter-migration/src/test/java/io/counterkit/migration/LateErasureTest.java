package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Entry;
import io.counterkit.RampUpLimiter;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.spi.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A process with the source alone erases after the seal, which it does not meet: an erasure works on sealed sequences. */
class LateErasureTest {
    private final TwoStores stores = new TwoStores();
    private final String sequence = stores.addSequence(620);

    private void copy(Wire wire) throws InterruptedException {
        MigratingBackend backend = MigratingBackend.create(
                new WiredBackend("source", InMemoryBackend.over(stores.source), wire),
                new WiredBackend("target", InMemoryBackend.over(stores.target), wire),
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
        VerificationOptions all =
                VerificationOptions.builder().copiedEntries(true).allEntries().build();
        return MigrationVerifier.over(stores.connect(), all).run();
    }

    /** Between the reading of entries and the copying of each batch. */
    @Test
    void erasedWhileItIsCopied_isErasedInTheCopy() throws InterruptedException {
        copy(new Wire() {
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
    void erasedAfterItWasCopied_isToldByTheVerifier_andErasedByTheNextRun() throws InterruptedException {
        copy(Wire.open());
        eraseAtSource(17);
        eraseAtSource(555);
        assertThat(copyOf(17).erased()).isFalse();
        assertThat(verify().differences())
                .hasSize(2)
                .allSatisfy(difference -> assertThat(difference.what()).contains("erased"));

        copy(Wire.open());

        assertThat(copyOf(17).erased()).isTrue();
        assertThat(copyOf(555).erased()).isTrue();
        assertThat(verify().differences()).isEmpty();
    }
}
