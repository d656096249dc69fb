package io.counterkit.tck.chapter.outcome;

import static org.awaitility.Awaitility.await;

import io.counterkit.AsyncCounter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Listening;
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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapter 7, continued: resources after many calls that succeed, or whose callers have stopped waiting. */
public abstract class ManyCallsChapter extends Chapter {
    /** More than a pool of connections usually has. */
    private static final int MORE_THAN_A_POOL = 24;

    /** More statements, cursors or permits than a process usually has. Only a fast store makes so many calls. */
    private static final int MANY = 250;

    /** The longest time that a call of a fast store takes. */
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(2);

    /** How long calls may fail on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** The smallest number of trials on a slow store. */
    private static final int LEAST = 4;

    @Test
    @Rule(
            value = "7.22",
            lookAt = "connections, statements, cursors, locks and permits of the operation in the message that are"
                    + " released only if a call fails, or only if its caller waits for the answer; a connection that"
                    + " each open listener keeps")
    final void spec722_manyCallsExhaustNoResource() throws Exception {
        Stage stage = stage(impatient(fixture().deadline()));
        List<TimedTrial> trials = new ArrayList<>();
        for (Operation<List<Part>> operation : possible(Changes.all())) {
            trials.add(() -> repeat(
                    operation.label(),
                    stage,
                    () -> operation.on(stage).stream()
                            .map(part -> part.start().get())
                            .toList()));
        }
        for (Operation<Reads.Read> operation : possible(Reads.all())) {
            trials.add(() -> {
                Reads.Read read = operation.on(stage);
                repeat(operation.label(), stage, () -> List.of(read.start().get()));
            });
        }
        String prefix = stage.name();
        for (String name : List.of(prefix + "/a", prefix + "/b")) {
            stage.observing().counter(name).add(1);
            stage.observing().sequence(name).next();
        }
        trials.add(() -> repeat(
                "first pages of lists that are not read to the end",
                stage,
                () -> List.of(
                        stage.acting().async().counterNames(prefix, null, 1),
                        stage.acting().async().sequenceNames(prefix, null, 1))));
        trials.add(() -> repeat("resets and deletions of absent counters", stage, () -> {
            AsyncCounter absent = stage.acting().counter(stage.name()).async();
            return List.of(absent.reset(), absent.delete());
        }));
        trials.add(() ->
                leave("reads", name -> process -> process.counter(name).async().get()));
        trials.add(() ->
                leave("adds", name -> process -> process.counter(name).async().add(1, IdempotencyToken.random())));
        trials.add(() -> leave(
                "appends", name -> process -> process.sequence(name).async().append(Map.of())));
        listen(stage);
        timeBox.runBriefly(trials, LEAST, random);
    }

    /** Repeats an operation, whose calls succeed. */
    private void repeat(String label, Stage stage, Supplier<? extends List<? extends CompletableFuture<?>>> calls) {
        long start = System.nanoTime();
        int most = size(MANY, MORE_THAN_A_POOL);
        int count = 0;
        while (count < MORE_THAN_A_POOL || (count < most && isFast(System.nanoTime() - start, count))) {
            calls.get().forEach(CompletableFuture::join);
            count++;
        }
        stage.assertWorks(count + " runs of " + label);
    }

    /** Opens listeners of many names, if the backend supports them. They must leave connections for calls. */
    private static void listen(Stage stage) {
        CounterBackend process = stage.actingBackend();
        List<Listening> open = new ArrayList<>();
        for (int i = 0; i < MORE_THAN_A_POOL; i++) {
            Stream.of(
                            process.counters().listen(stage.name(), () -> {}),
                            process.sequences().listen(stage.name(), () -> {}))
                    .filter(Objects::nonNull)
                    .forEach(open::add);
        }
        stage.assertWorks(open.size() + " listeners were started");
        open.forEach(Listening::close);
        stage.assertWorks(open.size() + " listeners were closed");
    }

    private static boolean isFast(long nanos, int count) {
        return nanos / count < SOON;
    }

    /** Makes calls that are all held until their callers stop waiting at the deadline. */
    private void leave(String what, Function<String, Function<Counters, CompletableFuture<?>>> call) throws Exception {
        Stage stage = stage(impatient());
        List<Future<?>> sent = new ArrayList<>();
        InjectedFaults held = inject(FaultPlan.held(MORE_THAN_A_POOL), 1);
        try {
            for (int i = 0; i < MORE_THAN_A_POOL; i++) {
                Function<Counters, CompletableFuture<?>> each = call.apply(name());
                sent.add(tasks().start(() -> each.apply(stage.acting())
                        .handle((done, failure) -> true)
                        .join()));
            }
            ConcurrentTasks.awaitBriefly(() -> sent.stream().allMatch(Future::isDone));
        } finally {
            held.close();
        }
        for (Future<?> each : sent) {
            ConcurrentTasks.result(each);
        }
        // On a busy machine a call may take longer than the short deadline. A resource that leaked is missing for
        // longer.
        await().pollInSameThread()
                .atMost(PATIENCE)
                .untilAsserted(() -> stage.assertWorks(
                        MORE_THAN_A_POOL + " " + what + " whose callers stopped waiting at the deadline"));
    }
}
