package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.AsyncCounter;
import io.counterkit.AsyncSequence;
import io.counterkit.CounterException;
import io.counterkit.CountersListener;
import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.FaultPlan.InjectedFaults;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.Reads;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 7, continued: the threads of callers. */
public abstract class CallersChapter extends Chapter {
    private static final Duration CADENCE = Duration.ofSeconds(1);

    /** More than a pool of threads, connections or permits usually has. */
    private static final int MORE_THAN_A_POOL = 24;

    @Test
    @Rule(
            value = "7.17",
            lookAt =
                    "a wait for the store on the caller's thread, also while other calls are under way: use an executor, or"
                            + " declare callerRuns in the limits; a lock that is held while a future is completed: its"
                            + " dependent stages may make further calls")
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
        List<TimedTrial> calls = new ArrayList<>();
        for (Operation<List<Part>> operation : possible(Changes.all())) {
            calls.add(() -> {
                Part part = operation.on(stage).get(0);
                assertReturnsWhileHeld(operation.label(), () -> part.start().get());
            });
        }
        for (Operation<Reads.Read> operation : possible(Reads.all())) {
            calls.add(() -> {
                Reads.Read read = operation.on(stage);
                assertReturnsWhileHeld(operation.label(), () -> read.start().get());
            });
        }
        timeBox.run(calls, calls.size(), random);
        CounterBackend backend = backend();
        assertReturnsWhileHeld(
                "a watch", () -> begun(backend.counters().watch(name(), CADENCE, new IgnoredReadings())));
        assertReturnsWhileHeld(
                "a listener of a counter", () -> begun(backend.counters().listen(name(), () -> {})));
        assertReturnsWhileHeld(
                "a listener of a sequence", () -> begun(backend.sequences().listen(name(), () -> {})));
        assertReturnWhileHeld("many concurrent calls", MORE_THAN_A_POOL, this::manyCalls);
        assertDependentStagesMayCall();
    }

    /** Makes each call in a dependent stage of the previous one, which runs on a thread of the backend. */
    private void assertDependentStagesMayCall() {
        AsyncCounter counter = here().counter(name()).async();
        AsyncSequence sequence = here().sequence(name()).async();
        CompletableFuture<Long> total = counter.add(1)
                .thenCompose(added -> counter.add(2))
                .thenCompose(added -> sequence.append(Map.of()))
                .thenCompose(appended -> sequence.tail())
                .thenCompose(tail -> counter.add(tail.last()))
                .thenCompose(added -> counter.get());
        ConcurrentTasks.await(total::isDone, ConcurrentTasks.PATIENCE);
        assertThat(total)
                .as("the total after calls of which each was made in a dependent stage of the one before; it has no"
                        + " answer if one of them waits for a lock that is held while a future is completed")
                .isCompletedWithValue(4L);
    }

    /** Makes several calls for each of several names. */
    private List<CompletableFuture<?>> manyCalls() {
        List<CompletableFuture<?>> calls = new ArrayList<>();
        while (calls.size() < MORE_THAN_A_POOL) {
            String name = name();
            AsyncCounter counter = here().counter(name).async();
            AsyncSequence sequence = here().sequence(name).async();
            calls.addAll(List.of(counter.add(1), counter.add(2), counter.reset(), counter.get()));
            calls.addAll(List.of(sequence.append(Map.of()), sequence.append(Map.of()), sequence.tail()));
        }
        return calls;
    }

    /** Returns a completed future. The watch or listener is closed with its backend. */
    private static CompletableFuture<?> begun(@Nullable AutoCloseable watch) {
        return CompletableFuture.completedFuture(watch);
    }

    private static final class IgnoredReadings implements CounterStore.Sink {
        @Override
        public Call call() {
            return new Call(CADENCE, CountersListener.disabled());
        }

        @Override
        public void reading(Reading reading) {}

        @Override
        public void failure(CounterException failure) {}
    }

    private void assertReturnsWhileHeld(String label, Supplier<CompletableFuture<?>> call) throws Exception {
        assertReturnWhileHeld(label, 1, () -> List.of(call.get()));
    }

    /** Makes calls while the first calls to the store are held. */
    private void assertReturnWhileHeld(String label, int count, Supplier<List<CompletableFuture<?>>> calls)
            throws Exception {
        CallingThread<List<CompletableFuture<?>>> calling;
        try (InjectedFaults held = inject(FaultPlan.held(count), 1)) {
            calling = new CallingThread<>(tasks(), calls::get);
            calling.awaitReturn(label);
            CompletableFuture<?> answer = calling.result().get(0);
            // an executor may start late
            ConcurrentTasks.awaitBriefly(() -> held.isHit() || answer.isDone());
        }
        for (CompletableFuture<?> answer : calling.result()) {
            answer.handle((done, failure) -> failure).join();
        }
    }
}
