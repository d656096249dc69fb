package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Outcomes;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.fault.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Imports whose first attempt reaches the store after a later one was refused, because the counter was in use, and
 * after the counter was deleted. A backend that does not retry while its call is held passes.
 *
 * @param stage the acting process makes the imports, the observing one uses and deletes the counters
 */
record LateImports(ConcurrentTasks tasks, Stage stage) {
    /** The number of calls of an attempt. Few stores need more. */
    private static final int CALLS = 3;

    /** Returns the trials: each import with its first call held, then with its second one, and so on. */
    List<TimedTrial> trials() {
        List<TimedTrial> trials = new ArrayList<>();
        int calls = stage.acting().capabilities().contains(Capability.IMPORT) ? CALLS : 0;
        for (int call = 1; call <= calls; call++) {
            int held = call;
            trials.add(() -> run(held, new ImportedState("elsewhere", true, 7, 0)));
            trials.add(() -> run(held, new ImportedState("elsewhere", false, 0, 0)));
        }
        return trials;
    }

    private void run(int call, ImportedState base) throws Exception {
        Counter counter = stage.observing().counter(stage.name());
        boolean isRefused = false;
        Future<@Nullable Throwable> failure;
        Future<?> add;
        try (Trial held = tasks.hold(call)) {
            failure = tasks.start(() -> importing(counter.name(), base));
            boolean isHit = held.awaitHit(failure::isDone);
            add = tasks.start(() -> counter.add(5));
            ConcurrentTasks.awaitBriefly(add::isDone); // it may wait for a lock of the import
            if (isHit && add.isDone()) {
                ConcurrentTasks.awaitBriefly(failure::isDone);
                isRefused = failure.isDone() && ConcurrentTasks.result(failure) instanceof NotAppliedException;
                if (isRefused) {
                    counter.delete();
                }
            }
        }
        ConcurrentTasks.result(failure);
        ConcurrentTasks.result(add);
        if (isRefused) {
            MigrationStore migration = stage.observingBackend().migration();
            List<String> name = List.of(counter.name());
            assertThat(List.of(
                            migration
                                    .states(Kind.COUNTER, name, stage.commit())
                                    .join()
                                    .get(0)
                                    .isPresent(),
                            migration
                                    .bases(Kind.COUNTER, name, stage.commit())
                                    .join()
                                    .get(0)
                                    .isPresent()))
                    .as(
                            "whether a counter is present, and whether it was imported, after an import of %s was"
                                    + " refused and the counter was deleted; an earlier attempt reached the store"
                                    + " later",
                            base)
                    .containsExactly(false, false);
        }
    }

    /**
     * Holds each call of each import until its deadline, and checks that nothing changes later if it is refused by
     * then.
     */
    void checkRefusals() throws Exception {
        for (Operation<List<Part>> operation : Changes.all()) {
            int call = 1;
            while (operation.needs().contains(Capability.IMPORT) && holdUntilRefused(operation, call)) {
                call++;
            }
        }
    }

    /** Holds one call of an import. Returns whether a call was held. */
    private boolean holdUntilRefused(Operation<List<Part>> operation, int call) throws Exception {
        Part part = operation.on(stage).get(0);
        boolean isHit;
        boolean isRefused;
        Future<@Nullable Throwable> failure;
        try (Trial held = tasks.hold(call)) {
            failure = tasks.start(() -> Outcomes.failureOf(part.start().get()));
            isHit = held.awaitHit(failure::isDone);
            if (isHit) {
                ConcurrentTasks.awaitBriefly(failure::isDone);
            }
            isRefused = failure.isDone() && ConcurrentTasks.result(failure) instanceof NotAppliedException;
        }
        ConcurrentTasks.result(failure);
        if (isRefused) {
            assertThat(part.state().get())
                    .as(
                            "the state after %s was refused, and its held call %s reached the store after that",
                            operation.label(), call)
                    .isEqualTo(part.before());
        }
        return isHit;
    }

    /** Imports the counter, and returns the failure. */
    private @Nullable Throwable importing(String name, ImportedState base) {
        return Outcomes.failureOf(
                stage.actingBackend().migration().importBase(Kind.COUNTER, name, base, stage.commit()));
    }
}
