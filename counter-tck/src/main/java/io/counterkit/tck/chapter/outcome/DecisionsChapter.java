package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.CommittedChange;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.FaultPlan.InjectedFaults;
import io.counterkit.tck.internal.fault.LateAttempts;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.Sweep;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.fault.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 5, decisions: what a resolution and a reported outcome mean later. */
public abstract class DecisionsChapter extends Chapter {
    /** How many late attempts also a slow store has. */
    private static final int LATE = 4;

    private static final Duration SOON = Duration.ofMillis(300);

    /** Longer than what a backend keeps in a short cache, or sends again much later. */
    private static final Duration MUCH_LATER = Duration.ofMillis(2500);

    @Test
    @Rule(
            value = "5.21",
            lookAt = "a resolution that reads the token and writes its decision in two calls: it is decided only when"
                    + " the second one has succeeded")
    final void spec521_resolutionThatReturnsIsDecided() {
        List<FaultPlan> plans = new ArrayList<>(FaultPlan.singleAndPairs());
        plans.addAll(FaultPlan.outages());
        plans.add(FaultPlan.failing());
        Counters impatient = impatient(SOON);
        for (FaultPlan plan : plans) {
            Sweep.run("a resolution of a new token, " + plan.label(), (label, call) -> {
                IdempotencyToken token = IdempotencyToken.random();
                Counter counter = counter();
                Resolution resolution;
                boolean isHit;
                try (InjectedFaults faults = plan.inject(fixture().faults(), call)) {
                    resolution = resolveOrFail(label, () -> impatient.resolve(token));
                    isHit = faults.isHit();
                }
                if (resolution != null) {
                    assertThat(resolution).as(label).isEqualTo(new Resolution.NotApplied());
                    assertThatExceptionOfType(TokenRefusedException.class)
                            .as("%s, returned that the token is not applied: the refusal of a later add", label)
                            .isThrownBy(() -> elsewhere(counter).add(1, token));
                    assertThat(counter.get()).as(label).isZero();
                }
                return isHit;
            });
        }
    }

    private interface Resolving {
        Resolution resolve();
    }

    private static @Nullable Resolution resolveOrFail(String label, Resolving resolving) {
        try {
            return resolving.resolve();
        } catch (CounterException e) {
            assertThat(e).as(label).isNotNull();
            return null;
        }
    }

    @Test
    @Rule(
            value = "5.22",
            lookAt = "the unit and the time zone in which tokens expire, and what is sent again in the background after"
                    + " its outcome was reported; a first attempt that reaches the store after a later one was answered,"
                    + " and finds no trace of that answer")
    final void spec522_outcomesAreTrueMuchLater() throws Exception {
        Counter counter = counter();
        Sequence sequence = sequence();
        IdempotencyToken added = IdempotencyToken.random();
        IdempotencyToken appended = IdempotencyToken.random();
        IdempotencyToken never = IdempotencyToken.random();
        counter.add(5, added);
        Entry first = sequence.append(Map.of("a", 1L), appended);
        assertThat(here().resolve(never).applied()).isFalse();
        Stage stage = stage(impatient(Duration.ofMillis(200)), Duration.ofSeconds(1));
        Trials trials = new Trials(stage);
        List<FaultPlan> plans = new ArrayList<>(FaultPlan.outages());
        plans.addAll(FaultPlan.single());
        List<TimedTrial> changes = new ArrayList<>();
        for (Operation<List<Part>> operation : possible(Changes.all())) {
            FaultPlan plan = plans.get(random.nextInt(plans.size()));
            changes.add(() -> trials.change(
                    operation.label() + ", " + plan.label() + " at call 1",
                    operation.prepare().apply(stage),
                    call -> plan.inject(fixture().faults(), call),
                    1));
        }
        timeBox.run(changes, changes.size(), random);
        timeBox.runBriefly(new LateAttempts(fixture(), here(), there(), this::name).trials(random), LATE);
        CounterBackend backend = backend();
        Commit commit = commit();
        ChangeTarget place = ChangeTarget.append(sequence.name(), 0);
        IdempotencyToken shared = commit.token();
        appendTo(backend, sequence, commit).join();
        Map<IdempotencyToken, CommittedChange> commits = commits(backend);
        resolveAndHoldUntilMuchLater(backend);
        trials.checkAgain();
        assertThat(backend().resolve(shared, place, commit()).join())
                .as("the resolution of a commit much later")
                .isEqualTo(new Resolution.Appended(sequence.name(), 2));
        commits.forEach((token, change) -> assertThat(backend()
                        .resolve(token, change.target(), commit())
                        .join()
                        .applied())
                .as("whether the commit of the %s is resolved as applied much later", change.label())
                .isTrue());
        elsewhere(counter).add(5, added);
        assertThat(counter.get())
                .as("the total after an add that was repeated much later")
                .isEqualTo(5);
        assertThat(elsewhere(sequence).append(Map.of("a", 2L), appended)).isEqualTo(first);
        assertThat(there().resolve(added)).isEqualTo(new Resolution.Added(counter.name(), 5));
        assertThat(there().resolve(appended)).isEqualTo(new Resolution.Appended(sequence.name(), 1));
        assertThat(there().resolve(never)).isEqualTo(new Resolution.NotApplied());
        assertThatExceptionOfType(TokenRefusedException.class)
                .as("the refusal of an add whose token was resolved as not applied before")
                .isThrownBy(() -> counter.add(1, never));
    }

    /** Makes a change of each kind, and returns the tokens of their commits. */
    private Map<IdempotencyToken, CommittedChange> commits(CounterBackend backend) {
        Sequence sequence = sequence();
        sequence.next();
        Map<IdempotencyToken, CommittedChange> commits = new LinkedHashMap<>();
        for (CommittedChange change :
                CommittedChange.all(here().capabilities(), counter(5).name(), sequence.name())) {
            Commit commit = commit();
            commits.put(commit.token(), change);
            change.send().apply(backend, commit).join();
        }
        return commits;
    }

    private static CompletableFuture<?> appendTo(CounterBackend backend, Sequence sequence, Commit commit) {
        AppendRequest request = new AppendRequest(Change.ADDED, null, Map.of(), null);
        return backend.sequences().append(sequence.name(), List.of(request), commit);
    }

    /** Waits, while an append is on its way whose commit was resolved. */
    private void resolveAndHoldUntilMuchLater(CounterBackend backend) throws Exception {
        Sequence sequence = sequence();
        Commit commit = commit();
        ChangeTarget place = ChangeTarget.append(sequence.name(), 0);
        IdempotencyToken token = commit.token();
        Resolution resolution;
        try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
            Future<Boolean> sending;
            InjectedFault held = inject(StoreFault.HOLD, 1);
            try {
                sending = tasks.start(() -> appendTo(backend, sequence, commit)
                        .handle((results, failure) -> failure == null)
                        .join());
                ConcurrentTasks.awaitBriefly(held::isHit);
                resolution = backend().resolve(token, place, commit()).join();
                LockSupport.parkNanos(MUCH_LATER.toNanos());
            } finally {
                held.close();
            }
            assertThat(ConcurrentTasks.result(sending)).isNotNull();
        }
        assertThat(elsewhere(sequence).last())
                .as("the last number after an append that reached the store much later than its resolution")
                .isEqualTo(resolution.applied() ? 1 : 0);
    }
}
