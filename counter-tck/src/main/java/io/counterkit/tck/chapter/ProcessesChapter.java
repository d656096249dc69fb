package io.counterkit.tck.chapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Outcome;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.Reads;
import io.counterkit.tck.internal.fault.Stage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapters 4, 7 and 13, continued: contending processes, and resources after failures. */
public abstract class ProcessesChapter extends MigrationChapter {
    private static final int ROUNDS = 15;
    private static final int MANY = 300;

    @Test
    @Rule(
            value = "4.5",
            lookAt = "the order in which a batch locks its counters: it has to be the same in every process, or"
                    + " deadlocks have to be retried")
    final void spec405_batchesInOppositeOrdersAllComplete() throws Exception {
        List<String> names = Stream.generate(this::name).limit(4).sorted().toList();
        List<String> backwards = new ArrayList<>(names);
        Collections.reverse(backwards);
        List<CounterBackend> processes = List.of(backend(), backend());
        boolean onePerName = processes.get(0).counters().limits().onePerName();
        try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
            tasks.runAtOnce(4, thread -> {
                List<String> order = thread % 2 == 0 ? names : backwards;
                for (int round = 0; round < ROUNDS; round++) {
                    if (onePerName) {
                        List<CompletableFuture<Void>> adds = order.stream()
                                .map(name -> (order == names ? here() : there())
                                        .counter(name)
                                        .async()
                                        .add(1))
                                .toList();
                        adds.forEach(CompletableFuture::join);
                    } else {
                        assertThat(Batches.add(
                                        processes.get(thread % 2).counters(),
                                        order.stream()
                                                .map(name -> new AddRequest(name, 1, null))
                                                .toList(),
                                        this::commit))
                                .allSatisfy(result -> assertThat(result.failure())
                                        .as("the failure of an add")
                                        .isNull());
                    }
                }
                return true;
            });
        }
        for (String name : names) {
            assertThat(there().counter(name).get()).isEqualTo(4 * ROUNDS);
        }
    }

    @Test
    @Rule(value = "13.13", lookAt = "whether a concurrent import and first add or append can both be the first")
    final void spec1313_concurrentImportAndFirstChangeHaveAnOrder() throws Exception {
        if (refusesToImport()) {
            return;
        }
        List<MigrationStore> processes =
                List.of(backend().migration(), backend().migration());
        for (int round = 0; round < ROUNDS; round++) {
            Counter counter = counter();
            Sequence sequence = sequence();
            List<Boolean> imports;
            try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
                imports = tasks.runAtOnce(4, thread -> switch (thread) {
                    case 0 -> isImported(processes.get(0), Kind.COUNTER, counter.name());
                    case 1 -> isImported(processes.get(1), Kind.SEQUENCE, sequence.name());
                    case 2 -> {
                        elsewhere(counter).add(1);
                        yield true;
                    }
                    default -> {
                        elsewhere(sequence).next();
                        yield true;
                    }
                });
            }
            assertThat(counter.get())
                    .as("the total after a first add of 1, with an import of 10 that was %s", imports.get(0))
                    .isEqualTo(imports.get(0) ? 11 : 1);
            assertThat(sequence.last())
                    .as("the last number after a first append, with an import up to 40 that was %s", imports.get(1))
                    .isEqualTo(imports.get(1) ? 41 : 1);
        }
    }

    private boolean isImported(MigrationStore into, Kind kind, String name) {
        Throwable failure =
                catchThrowable(() -> imported(into, kind, name, kind == Kind.COUNTER ? total(10) : end(40, 3)));
        assertThat(failure == null || failure.getCause() instanceof NotAppliedException)
                .as("an import concurrent with a first change: %s", failure)
                .isTrue();
        return failure == null;
    }

    @Test
    @Rule(
            value = "7.16",
            lookAt = "connections, statements, locks and permits that are released only if a call succeeds")
    final void spec716_manyRefusalsAndFailuresExhaustNoResource() {
        Counter counter = counter(1);
        Sequence sequence = sequence();
        sequence.append(Change.ADDED, "live", Map.of());
        IdempotencyToken used = IdempotencyToken.random();
        counter.add(1, used);
        Map<Runnable, Class<? extends CounterException>> refusals = new LinkedHashMap<>();
        refusals.put(() -> sequence.append(Change.ADDED, "live", Map.of()), ChangeRefusedException.class);
        refusals.put(() -> counter.add(2, used), TokenRefusedException.class);
        refusals.put(() -> sequence.append(Map.of(), used), TokenRefusedException.class);
        refusals.forEach((refusal, type) -> {
            for (int i = 0; i < MANY; i++) {
                assertThat(catchThrowable(refusal::run)).as("refusal %s", i + 1).isInstanceOf(type);
            }
        });
        long applied = 2;
        int hits = 0;
        for (int i = 0; i < MANY; i++) {
            try (InjectedFault injected = inject(i % 2 == 0 ? StoreFault.FAIL_BEFORE : StoreFault.LOSE_REPLY, 1)) {
                applied += applyAndResolve(counter::increment) ? 1 : 0;
                hits += injected.isHit() ? 1 : 0;
            }
            if (i % 10 == 0) {
                try (InjectedFault injected = inject(StoreFault.FAIL_BEFORE, 1)) {
                    readOrFail(counter::get);
                    readOrFail(sequence::tail);
                    hits += injected.isHit() ? 1 : 0;
                }
            }
        }
        assertThat(hits).as("calls hit by a fault").isGreaterThanOrEqualTo(MANY);
        counter.add(5);
        assertThat(counter.get()).as("the total after many failures").isEqualTo(applied + 5);
        assertThat(elsewhere(counter).get()).isEqualTo(applied + 5);
        assertThat(sequence.next()).as("the number after many refusals").isEqualTo(2);
    }

    private static void readOrFail(Supplier<?> read) {
        try {
            assertThat(read.get()).isNotNull();
        } catch (CounterException e) {
            assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED);
        }
    }

    @Test
    @Rule(
            value = "7.17",
            lookAt =
                    "a wait for the store on the caller's thread: use an executor, or declare callerRuns in the limits")
    final void spec717_callDoesNotBlockItsCaller() throws Exception {
        boolean isCounterCallerRuns;
        boolean isSequenceCallerRuns;
        try (CounterBackend backend = fixture().connect()) {
            isCounterCallerRuns = backend.counters().limits().callerRuns();
            isSequenceCallerRuns = backend.sequences().limits().callerRuns();
        }
        if (isCounterCallerRuns || isSequenceCallerRuns) {
            return; // the backend declares that it blocks
        }
        Stage stage = stage(here());
        for (Operation<List<Part>> operation : Changes.all()) {
            if (operation.isPossible(here().capabilities())) {
                Part part = operation.prepare().apply(stage).get(0);
                assertReturnsWhileHeld(operation.label(), () -> part.start().get());
            }
        }
        for (Operation<Reads.Read> operation : Reads.all()) {
            if (operation.isPossible(here().capabilities())) {
                Reads.Read read = operation.prepare().apply(stage);
                assertReturnsWhileHeld(operation.label(), () -> read.start().get());
            }
        }
    }

    private void assertReturnsWhileHeld(String label, Supplier<CompletableFuture<?>> call) throws Exception {
        try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
            Future<List<CompletableFuture<?>>> calling;
            try (InjectedFault held = inject(StoreFault.HOLD, 1)) {
                calling = tasks.start(() -> List.of(call.get()));
                CompletableFuture<?> answer = calling.get(10, TimeUnit.SECONDS).get(0);
                ConcurrentTasks.awaitBriefly(() -> held.isHit() || answer.isDone()); // an executor may start late
                ConcurrentTasks.awaitBriefly(() -> held.isHit() || answer.isDone());
            } catch (TimeoutException e) {
                throw new AssertionError(
                        label
                                + ": the call did not return to its caller within 10 seconds, while the store did"
                                + " not answer, although callerRuns is not declared",
                        e);
            }
            ConcurrentTasks.result(calling)
                    .get(0)
                    .handle((done, failure) -> failure)
                    .join();
        }
    }
}
