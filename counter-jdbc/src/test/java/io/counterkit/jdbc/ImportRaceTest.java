package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.CountersListener;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** An import of a counter as absent, each round trip of which is delayed until another process has added, or waits. */
class ImportRaceTest {
    private static final Duration TIME = Duration.ofSeconds(20);
    private static final long BRIEFLY_MILLIS = 300;

    @Test
    void importAsAbsent_isRefusedAfterAFirstAdd() throws Exception {
        try (BackendFixture store = PostgresFixture.pooled();
                CounterBackend importing = store.connect();
                CounterBackend adding = store.connect()) {
            int call = 1;
            while (importWhileAdding(store, importing, adding, call)) {
                call++;
            }
            assertThat(call).isGreaterThan(1);
        }
    }

    /** Returns whether a call was held. */
    private static boolean importWhileAdding(
            BackendFixture store, CounterBackend importing, CounterBackend adding, int call) throws Exception {
        String name = "import race/" + UUID.randomUUID();
        CompletableFuture<?> add = null;
        boolean wasUsedBefore = false;
        CompletableFuture<ImportedState> imported;
        InjectedFault held = store.faults().inject(StoreFault.HOLD, call);
        try {
            ImportedState absent = new ImportedState("elsewhere", false, 0, 0);
            imported = importing.migration().importBase(Kind.COUNTER, name, absent, call());
            await().until(() -> held.isHit() || imported.isDone());
            if (held.isHit()) {
                add = adding.counters()
                        .add(
                                List.of(new AddRequest(name, 5, null)),
                                new Commit(TIME, ThreadLocalRandom.current(), CountersListener.disabled()));
                awaitBriefly(add);
                wasUsedBefore = add.isDone() && !isImported(adding, name);
            }
        } finally {
            held.close();
        }
        boolean isImported =
                imported.handle((state, failure) -> failure == null).get();
        assertThat(isImported && wasUsedBefore)
                .as("an import as absent, held at call %s, of a counter that was added to before", call)
                .isFalse();
        if (add != null) {
            add.get();
        }
        return held.isHit();
    }

    private static boolean isImported(CounterBackend process, String name) {
        return process.migration()
                .bases(Kind.COUNTER, List.of(name), call())
                .join()
                .get(0)
                .isPresent();
    }

    private static Call call() {
        return new Call(TIME, CountersListener.disabled());
    }

    private static void awaitBriefly(CompletableFuture<?> add) throws Exception {
        try {
            add.get(BRIEFLY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // it waits for the import
        }
    }
}
