package io.counterkit.tck.chapter.outcome;

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
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.CommittedChange;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Outcomes;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.Reads;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.model.Overflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Chapter 7, continued: resources after many refusals and failures. */
public abstract class ResourcesChapter extends MigrationChapter {
    private static final int MANY = 300;
    private static final int FEW = 30;

    /** More than a pool of connections usually has. */
    private static final int MORE_THAN_A_POOL = 24;

    /** The smallest number of trials on a slow store. */
    private static final int LEAST = 6;

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
        int many = size(MANY, FEW);
        refusals.forEach((refusal, type) -> {
            for (int i = 0; i < many; i++) {
                assertThat(catchThrowable(refusal::run)).as("refusal %s", i + 1).isInstanceOf(type);
            }
        });
        long applied = 2;
        int hits = 0;
        for (int i = 0; i < many; i++) {
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
        assertThat(hits).as("calls hit by a fault").isGreaterThanOrEqualTo(many);
        counter.add(5);
        assertThat(counter.get()).as("the total after many failures").isEqualTo(applied + 5);
        assertTotalElsewhere(counter, applied + 5);
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
            value = "7.19",
            lookAt =
                    "connections, statements, locks and permits of the operation in the message, when the store refuses"
                            + " it or a call fails")
    final void spec719_refusalsAndFailuresOfEveryOperationExhaustNoResource() throws Exception {
        // With a short deadline, so that an exhausted pool is soon noticed.
        Stage stage = stage(impatient(fixture().deadline().dividedBy(4)), longest());
        List<TimedTrial> trials = new ArrayList<>();
        refusals(stage).forEach((what, refusal) -> trials.add(() -> refuse(what, stage, refusal)));
        resolved(stage).forEach((what, refusal) -> trials.add(() -> refuse(what, stage, refusal)));
        trials.add(() -> refuseToRead(stage));
        for (Operation<List<Part>> operation : possible(Changes.all())) {
            trials.add(() -> {
                for (int i = 0; i < MORE_THAN_A_POOL; i++) {
                    List<Part> parts = operation.on(stage);
                    failing(
                            i,
                            () -> parts.stream().map(part -> part.start().get()).toList());
                }
                stage.assertWorks(MORE_THAN_A_POOL + " failures of " + operation.label());
            });
        }
        for (Operation<Reads.Read> operation : possible(Reads.all())) {
            trials.add(() -> {
                Reads.Read read = operation.on(stage);
                for (int i = 0; i < MORE_THAN_A_POOL; i++) {
                    failing(i, () -> List.of(read.start().get()));
                }
                stage.assertWorks(MORE_THAN_A_POOL + " failures of " + operation.label());
            });
        }
        timeBox.runBriefly(trials, LEAST, random);
    }

    private static void refuse(String what, Stage stage, Supplier<? extends CompletableFuture<?>> refusal) {
        for (int i = 0; i < MORE_THAN_A_POOL; i++) {
            assertThat(Outcomes.failureOf(refusal.get()))
                    .as("refusal %s of %s", i + 1, what)
                    .isInstanceOfAny(NotAppliedException.class, IllegalArgumentException.class);
        }
        stage.assertWorks(MORE_THAN_A_POOL + " refusals of " + what);
    }

    /** Reads a total that is out of range. */
    private void refuseToRead(Stage stage) {
        Counter excessive = counter();
        Overflow.above(excessive);
        var acting = stage.acting();
        refuse(
                "a read of a total out of range",
                stage,
                () -> acting.counter(excessive.name()).async().get());
        if (declares(Capability.TOP)) {
            Supplier<CompletableFuture<?>> top = () -> acting.async().top(excessive.name(), 1);
            awaitLists(() -> assertThat(Outcomes.failureOf(top.get())).isNotNull());
            refuse("a list of the largest counters, one of which is out of range", stage, top);
        }
    }

    /** Returns changes that the store refuses because of the tokens of their commits, by their description. */
    private Map<String, Supplier<CompletableFuture<?>>> resolved(Stage stage) {
        Sequence sequence = sequence();
        sequence.next();
        Map<String, Supplier<CompletableFuture<?>>> refusals = new LinkedHashMap<>();
        for (CommittedChange change :
                CommittedChange.all(here().capabilities(), counter(1).name(), sequence.name())) {
            refusals.put("the " + change.label() + " whose commit was resolved before", () -> {
                Commit commit = commit();
                stage.observingBackend()
                        .resolve(commit.token(), change.target(), commit())
                        .join();
                return change.send().apply(stage.actingBackend(), commit);
            });
        }
        return refusals;
    }

    /** Returns calls that the store refuses, by their description. */
    private Map<String, Supplier<CompletableFuture<?>>> refusals(Stage stage) {
        Map<String, Supplier<CompletableFuture<?>>> refusals = new LinkedHashMap<>();
        Sequence used = sequence();
        used.next();
        Counter counter = counter(1);
        var acting = stage.acting();
        refusals.put(
                "the erasure of an absent entry",
                () -> acting.sequence(used.name()).async().erase(9));
        if (declares(Capability.SEAL_COUNTERS)) {
            Counter sealed = counter(1);
            sealed.seal(ELSEWHERE);
            var refused = acting.counter(sealed.name()).async();
            refusals.put("an add to a sealed counter", () -> refused.add(1));
            refusals.put("a reset of a sealed counter", refused::reset);
            refusals.put("a deletion of a sealed counter", refused::delete);
            refusals.put("a seal with another address", () -> refused.seal("somewhere else"));
        }
        if (declares(Capability.SEAL_SEQUENCES)) {
            Sequence sealed = sequence();
            sealed.seal(ELSEWHERE);
            var refused = acting.sequence(sealed.name()).async();
            refusals.put("an append to a sealed sequence", () -> refused.append(Map.of()));
            refusals.put("a seal of a sequence with another address", () -> refused.seal("somewhere else"));
        }
        if (declares(Capability.IMPORT)) {
            MigrationStore into = stage.actingBackend().migration();
            refusals.put(
                    "the import of a counter in use", () -> importing(into, Kind.COUNTER, counter.name(), total(5)));
            refusals.put(
                    "the import of a sequence in use", () -> importing(into, Kind.SEQUENCE, used.name(), end(9, 9)));
            refusals.put(
                    "a copy of an entry that was not imported",
                    () -> into.copy(used.name(), List.of(entry(2, Map.of())), commit()));
        }
        return refusals;
    }

    /** Makes calls, the first of which fails if {@code number} is even, and loses its reply otherwise. */
    private void failing(int number, Supplier<? extends List<? extends CompletableFuture<?>>> calls) {
        InjectedFault injected = inject(number % 2 == 0 ? StoreFault.FAIL_BEFORE : StoreFault.LOSE_REPLY, 1);
        try {
            for (CompletableFuture<?> call : calls.get()) {
                Throwable failure = Outcomes.failureOf(call);
                assertThat(failure == null || failure instanceof RuntimeException)
                        .as(
                                "whether the failure of a call, if it has one, is unchecked, after %s earlier ones: %s",
                                number, failure)
                        .isTrue();
            }
        } finally {
            injected.close();
        }
    }
}
