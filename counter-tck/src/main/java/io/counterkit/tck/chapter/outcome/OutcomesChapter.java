package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.ChangeRefusedException;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Listening;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.FaultyRun;
import io.counterkit.tck.internal.fault.LostReplyCheck;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.Reads;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.Sweep;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.fault.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 7, continued: every operation with faults at each of its calls, one fault or several. */
public abstract class OutcomesChapter extends Chapter {
    private static final Duration SOON = Duration.ofMillis(150);

    /** Long enough for an import without faults. */
    private static final Duration SHORT = Duration.ofMillis(500);

    /** More calls than a backend makes before it considers its store unavailable. */
    private static final int MANY = 12;

    /** The smallest number of trials on a slow store. */
    private static final int LEAST = 4;

    @Test
    @Rule(
            value = "7.11",
            lookAt = "the mapping of the store's errors to outcomes, in every operation; retries, and work that"
                    + " continues in the background after the outcome was reported; what a process remembers of a change"
                    + " before it is stored, such as its token or its subject")
    final void spec711_outcomeOfEveryChangeIsTrue() throws Exception {
        sweepChanges(FaultPlan.single(), stage(here()));
    }

    @Test
    @Rule(
            value = "7.12",
            lookAt = "the retry after a lost reply: once the outcome of one attempt is unknown, a later failure does"
                    + " not make the change not applied")
    final void spec712_outcomeIsTrueWhenTwoCallsInARowFail() throws Exception {
        sweepChanges(FaultPlan.pairs(), stage(here()));
    }

    @Test
    @Rule(
            value = "7.13",
            lookAt = "the outcome reported at the deadline: it has to cover all attempts, not only the last; an import"
                    + " has no token, and fails as not applied only if no attempt was applied or will be")
    final void spec713_outcomeIsTrueInAnOutage() throws Exception {
        new LostReplyCheck(fixture().faults(), this::impatient, this::name).run(there());
        sweepChanges(FaultPlan.outages(), stage(impatient(SOON), SHORT));
    }

    @Test
    @Rule(
            value = "7.14",
            lookAt = "a failure of a read, a list, a state or a resolution that is reported as empty, absent, 0 or"
                    + " not applied, also when the store is only slow")
    final void spec714_failureOfEveryReadIsAFailure() throws Exception {
        List<FaultPlan> plans = FaultPlan.singleAndPairs();
        Stage patient = stage(here());
        Stage impatient = stage(impatient(SOON), SOON);
        Stage overdue = stage(impatient(SOON), Duration.ZERO);
        List<List<TimedTrial>> sweeps = new ArrayList<>();
        for (Operation<Reads.Read> operation : possible(Reads.all())) {
            sweeps.add(sweeps(operation, patient, plans));
            sweeps.add(sweeps(operation, impatient, List.of(FaultPlan.failing())));
            sweeps.add(sweeps(operation, overdue, List.of(FaultPlan.failing())));
            sweeps.add(List.of(() -> sweepHeldRead(operation, impatient)));
        }
        timeBox.run(sweeps, random);
    }

    private void sweepHeldRead(Operation<Reads.Read> operation, Stage stage) throws Exception {
        Reads.Read read = operation.on(stage);
        int call = 1;
        while (Trials.heldRead(
                operation.label() + ", held at call " + call,
                read,
                inject(FaultPlan.held(1), call),
                tasks(),
                SOON.multipliedBy(4))) {
            call++;
        }
    }

    private List<TimedTrial> sweeps(Operation<Reads.Read> operation, Stage stage, List<FaultPlan> plans) {
        Trials trials = new Trials(stage);
        Reads.Read read = operation.on(stage);
        return plans.stream()
                .map(plan -> (TimedTrial) () -> sweepRead(trials, operation.label(), read, plan))
                .toList();
    }

    private void sweepRead(Trials trials, String operation, Reads.Read read, FaultPlan plan) {
        int call = 1;
        while (trials.read(operation + ", " + plan.label() + " at call " + call, read, inject(plan, call))) {
            call++;
        }
    }

    @Test
    @Rule(
            value = "7.15",
            lookAt = "faults before the visible one, which the seed repeats; outcomes that are resolved much later")
    final void spec715_randomFaultsLoseAndRepeatNothing() throws Exception {
        FaultyRun run = new FaultyRun(tasks(), List.of(here(), there(), impatient()), this::name, seed);
        run.run(3, size(40, 12));
        run.check(there());
    }

    private void sweepChanges(List<FaultPlan> plans, Stage stage) throws Exception {
        Trials trials = new Trials(stage);
        List<List<TimedTrial>> sweeps = new ArrayList<>();
        for (Operation<List<Part>> operation : possible(Changes.withBatches())) {
            sweeps.add(plans.stream()
                    .map(plan -> (TimedTrial) () -> sweepChange(trials, operation, plan, stage))
                    .toList());
        }
        timeBox.run(sweeps, random);
        trials.checkAgain();
    }

    private void sweepChange(Trials trials, Operation<List<Part>> operation, FaultPlan plan, Stage stage) {
        Sweep.run(
                operation.label() + ", " + plan.label(),
                (label, call) -> trials.change(label, operation.on(stage), inject(plan, call)));
    }

    @Test
    @Rule(
            value = "7.23",
            lookAt =
                    "an interrupt that is cleared by a wait, and not restored; a connection or a file that an interrupt"
                            + " closes; a wait for threads in close")
    final void spec723_pendingInterruptIsKeptByEveryOperation() throws Exception {
        Stage stage = stage(here());
        Trials trials = new Trials(stage);
        List<TimedTrial> calls = new ArrayList<>();
        for (Operation<List<Part>> operation : possible(Changes.all())) {
            calls.add(() -> trials.interrupted(operation.label(), operation.on(stage)));
        }
        for (Operation<Reads.Read> operation : possible(Reads.all())) {
            calls.add(() -> trials.interrupted(operation.label(), operation.on(stage)));
        }
        timeBox.run(calls, calls.size(), random);
        listenAndCloseInterrupted(backend(), stage.name());
        stage.assertWorks("interrupts");
    }

    private static void listenAndCloseInterrupted(CounterBackend process, String name) {
        List<Supplier<@Nullable Listening>> starts = List.of(
                () -> process.counters().listen(name, () -> {}),
                () -> process.sequences().listen(name, () -> {}));
        for (Supplier<@Nullable Listening> start : starts) {
            Listening listening = Trials.interrupted("the start of a listener", start);
            if (listening != null) {
                interrupted("the end of a listener", listening::close);
            }
        }
        interrupted("the close of a process", process::close);
    }

    private static void interrupted(String label, Runnable call) {
        Trials.interrupted(label, () -> {
            call.run();
            return true;
        });
    }

    @Test
    @Rule(
            value = "7.20",
            lookAt = "what a process remembers of failures: a circuit breaker that stays open, a failed answer in a"
                    + " cache, a name that stays blocked")
    final void spec720_processWorksAfterAnOutage() throws Exception {
        Stage stage = stage(here());
        List<TimedTrial> trials = new ArrayList<>();
        for (Operation<List<Part>> operation : possible(Changes.all())) {
            trials.add(() -> {
                Part part = operation.on(stage).get(0);
                recover(operation.label(), () -> part.start().get(), null);
            });
        }
        for (Operation<Reads.Read> operation : possible(Reads.all())) {
            trials.add(() -> {
                Reads.Read read = operation.on(stage);
                recover(operation.label(), () -> read.start().get(), read.right());
            });
        }
        timeBox.run(trials, LEAST, random);
    }

    /** Starts an operation several times while its calls fail, and then again without faults. */
    private void recover(String label, Supplier<? extends CompletableFuture<?>> operation, @Nullable Object right)
            throws Exception {
        for (int i = 0; i < MANY; i++) {
            FaultPlan plan = i == 0 ? new FaultPlan("lost", List.of(StoreFault.LOSE_REPLY)) : FaultPlan.failing();
            var failing = inject(plan, 1);
            var sent = tasks().start(() ->
                    operation.get().handle((done, failure) -> true).join());
            ConcurrentTasks.awaitReturn(sent);
            failing.close();
            ConcurrentTasks.result(sent);
            if (i == 0) {
                assertWorks(label + " after a failure", operation, right);
            }
        }
        assertWorks(label + " after an outage", operation, right);
    }

    private static void assertWorks(
            String label, Supplier<? extends CompletableFuture<?>> operation, @Nullable Object right) {
        @Nullable Object answer = operation
                .get()
                .handle((done, failure) -> failure == null ? (Object) done : Futures.unwrap(failure))
                .join();
        assertThat(!(answer instanceof Throwable) || answer instanceof ChangeRefusedException)
                .as("%s: whether it works again; it returned %s", label, answer)
                .isTrue();
        if (right != null) {
            assertThat(answer).as("%s: the value read", label).isEqualTo(right);
        }
    }
}
