package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Change;
import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.fault.Trial;
import io.counterkit.tck.internal.fault.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Chapter 5, continued: changes of every kind that reach the store late. */
public abstract class LateChangesChapter extends MigrationChapter {
    private static final Duration SOON = Duration.ofMillis(100);

    /**
     * The number of turns in which each call of an operation is held once. On a slow store, only one of them may run.
     */
    private static final int TURNS = 2;

    @Test
    @Rule(
            value = "5.17",
            lookAt = "a change that reaches the store after its token was resolved: each kind of change has to check"
                    + " the token in its commit")
    final void spec517_noLateChangeOverrulesItsOutcome() throws Exception {
        Stage stage = stage(impatient(SOON));
        Trials trials = new Trials(stage);
        List<List<TimedTrial>> sweeps = new ArrayList<>();
        for (Operation<List<Part>> operation : possible(Changes.all())) {
            if (!operation.needs().contains(Capability.IMPORT)) {
                sweeps.add(IntStream.range(0, TURNS)
                        .mapToObj(turn -> (TimedTrial) () -> holdCalls(trials, operation, stage, turn + 1))
                        .toList());
            }
        }
        timeBox.run(sweeps, random);
        trials.checkAgain();
    }

    /**
     * Holds one call of an operation: {@code first}, or the {@link #TURNS}th after it, and so on while there are calls.
     */
    private void holdCalls(Trials trials, Operation<List<Part>> operation, Stage stage, int first) {
        int call = first;
        while (trials.late(
                operation.label() + ", held at call " + call, operation.on(stage), inject(FaultPlan.held(1), call))) {
            call += TURNS;
        }
    }

    @Test
    @Rule(
            value = "5.18",
            lookAt = "a caller's token that another process resolves before the change reaches the store: the change"
                    + " has to respect that decision")
    final void spec518_tokenResolvedWhileItsChangeIsOnItsWayIsDecided() throws Exception {
        Stage stage = stage(here());
        List<TimedTrial> sweeps = new ArrayList<>();
        for (Operation<List<Part>> operation : possible(Changes.all())) {
            sweeps.add(() -> {
                int call = 1;
                while (resolveWhileHeld(operation, stage, call)) {
                    call++;
                }
            });
        }
        timeBox.run(sweeps, sweeps.size(), random);
    }

    /**
     * Resolves the token of a change while one of its calls is held. Returns whether it has a token and a call was
     * held.
     */
    private boolean resolveWhileHeld(Operation<List<Part>> operation, Stage stage, int call) throws Exception {
        List<Part> parts = operation.on(stage);
        if (parts.stream().allMatch(part -> part.token() == null)) {
            return false;
        }
        String label = operation.label() + ", held at call " + call;
        int chosen = 0;
        while (parts.get(chosen).token() == null) {
            chosen++;
        }
        Part part = parts.get(chosen);
        IdempotencyToken token = Objects.requireNonNull(part.token());
        boolean isHit;
        Resolution resolution;
        List<CompletableFuture<?>> sent;
        Future<List<CompletableFuture<?>>> sending;
        try (Trial held = tasks().hold(call)) {
            sending = tasks().start(() -> {
                List<CompletableFuture<?>> all = new ArrayList<>();
                parts.forEach(each -> all.add(each.start().get()));
                return all;
            });
            isHit = held.awaitHit(() -> isDone(sending));
            ConcurrentTasks.awaitReturn(sending);
            resolution = stage.observing().resolve(token);
        }
        sent = ConcurrentTasks.result(sending);
        for (int i = 0; i < parts.size(); i++) {
            CompletableFuture<?> answer = sent.get(i);
            Throwable failure = catchThrowable(answer::join);
            assertThat(failure == null || failure.getCause() instanceof CounterException)
                    .as("%s: whether the failure, if there is one, states the outcome: %s", label, failure)
                    .isTrue();
            if (i == chosen) {
                assertThat(failure == null && !resolution.applied())
                        .as("%s: reported as applied although its token was resolved as not applied", label)
                        .isFalse();
            }
        }
        assertThat(part.state().get())
                .as("%s, resolved as %s while it was held: the stored state", label, resolution)
                .isEqualTo(resolution.applied() ? part.after() : part.before());
        return isHit;
    }

    private static boolean isDone(Future<List<CompletableFuture<?>>> sending) {
        return sending.isDone()
                && catchThrowable(() -> assertThat(sending.get()).allMatch(CompletableFuture::isDone)) == null;
    }

    @Test
    @Rule(
            value = "13.11",
            lookAt = "an import, a subject or a copy that reaches the store after another process made the same one:"
                    + " it must not overwrite that")
    final void spec1311_lateImportChangesNothing() throws Exception {
        if (refusesToImport()) {
            return;
        }
        new LateImports(tasks(), stage(impatient(SOON), SOON)).checkRefusals();
        MigrationStore acting = backend().migration();
        MigrationStore other = backend().migration();
        int call = 1;
        boolean isHit = true;
        while (isHit) {
            String counter = name();
            isHit = late(call, () -> importing(acting, Kind.COUNTER, counter, total(5)), () -> {
                ImportedState first = imported(other, Kind.COUNTER, counter, total(9));
                there().counter(counter).add(1);
                return () -> assertThat(there().counter(counter).get()).isEqualTo(first.value() + 1);
            });
            String deleted = name();
            isHit |= late(call, () -> importing(acting, Kind.COUNTER, deleted, total(5)), () -> {
                imported(other, Kind.COUNTER, deleted, total(9));
                there().counter(deleted).delete();
                return () -> assertThat(there().counter(deleted).get())
                        .as("the total of a counter that was imported and deleted before a late import reached"
                                + " the store")
                        .isZero();
            });
            String sequence = name();
            isHit |= late(call, () -> importing(acting, Kind.SEQUENCE, sequence, end(40, 17)), () -> {
                long last = imported(other, Kind.SEQUENCE, sequence, end(90, 3)).last();
                there().sequence(sequence).next();
                return () -> assertThat(there().sequence(sequence).last()).isEqualTo(last + 1);
            });
            Sequence moved = there().sequence(name());
            imported(other, Kind.SEQUENCE, moved.name(), end(40, 17));
            isHit |= late(call, () -> acting.importSubject(moved.name(), "s", true, commit()), () -> {
                other.importSubject(moved.name(), "s", true, commit()).join();
                moved.append(Change.REMOVED, "s", Map.of());
                return () -> assertThat(
                                other.subject(moved.name(), "s", commit()).join())
                        .contains(false);
            });
            Entry entry = entry(3, Map.of("secret", "x"));
            isHit |= late(call, () -> acting.copy(moved.name(), List.of(entry), commit()), () -> {
                other.copy(moved.name(), List.of(entry), commit()).join();
                moved.erase(3);
                return () -> assertThat(entry(moved, 3)).isEqualTo(entry.withoutFields());
            });
            call++;
        }
    }

    /**
     * Holds one call of {@code change}, makes another change meanwhile, and checks that the held change did not
     * overwrite it. Returns whether a call was held.
     */
    private boolean late(int call, Supplier<CompletableFuture<?>> change, Supplier<Runnable> meanwhile)
            throws Exception {
        try {
            Future<List<CompletableFuture<?>>> sending;
            Runnable check;
            boolean isHit;
            try (Trial held = tasks().hold(call)) {
                sending = tasks().start(() -> List.of(change.get()));
                isHit = held.awaitHit(() -> isDone(sending));
                ConcurrentTasks.awaitReturn(sending);
                check = meanwhile.get();
            }
            CompletableFuture<?> answer = ConcurrentTasks.result(sending).get(0);
            answer.handle((done, failure) -> failure).join();
            check.run();
            return isHit;
        } catch (CompletionException e) {
            throw new AssertionError("an import failed while another one was held at call " + call, e);
        }
    }
}
