package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.fault.CommittedChange;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.ConcurrentTasks.Overtaken;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.FaultPlan.InjectedFaults;
import io.counterkit.tck.internal.fault.Outcomes;
import io.counterkit.tck.internal.fault.ResolvedCommits;
import io.counterkit.tck.internal.fault.Sweep;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Chapters 5 and 7, continued: commits whose tokens are resolved before they are sent, or on their way, and resolutions
 * that fail.
 */
public abstract class ResolvedCommitsChapter extends Chapter {
    private static final Duration SOON = Duration.ofMillis(300);
    private static final Duration LATER = Duration.ofSeconds(30);

    @Test
    @Rule(
            value = "7.18",
            lookAt =
                    "whether each kind of change checks the token of its commit before it changes anything, and where a"
                            + " decision is kept: no other change may remove it")
    final void spec718_changeWhoseTokenWasResolvedBeforehandIsNotApplied() {
        CounterBackend backend = backend();
        Counter counter = counter(5);
        Sequence sequence = sequence();
        sequence.append(Change.ADDED, "live", Map.of("secret", "x"));
        resolved(counter.name(), sequence.name()).check(backend, "at once");
        assertThat(elsewhere(counter).get()).isEqualTo(5);
        assertThat(elsewhere(sequence).tail()).isEqualTo(new Tail(1, 1, null));
        assertThat(entry(elsewhere(sequence), 1).erased()).isFalse();
        ResolvedCommits resolved = resolved(counter.name(), sequence.name());
        elsewhere(counter).reset();
        counter.add(1);
        elsewhere(counter).delete();
        counter.add(6);
        elsewhere(sequence).append(Map.of("secret", "y"));
        sequence.erase(2);
        resolved.check(backend, "after other changes");
        assertThat(elsewhere(counter).get()).isEqualTo(6);
        assertThat(elsewhere(sequence).tail()).isEqualTo(new Tail(2, 2, null));
        assertThat(entry(elsewhere(sequence), 1).erased()).isFalse();
        assertSecondAppendIsNotApplied(backend.sequences());
        if (declares(Capability.IMPORT)) {
            importAfterResolutions(backend);
        }
    }

    private void importAfterResolutions(CounterBackend backend) {
        String name = name();
        ResolvedCommits resolved = resolved(name, name);
        MigrationStore into = backend().migration();
        into.importBase(Kind.COUNTER, name, new ImportedState("elsewhere", true, 7, 0), commit())
                .join();
        into.importBase(Kind.SEQUENCE, name, new ImportedState("elsewhere", true, 2, 3), commit())
                .join();
        Entry copied = new Entry(1, Instant.EPOCH, Change.ADDED, "s", Map.of("secret", "x"), 1, false);
        into.copy(name, List.of(copied), commit()).join();
        resolved.check(backend, "after an import of the absent name");
        assertThat(there().counter(name).get()).isEqualTo(7);
        assertThat(there().sequence(name).tail()).isEqualTo(new Tail(3, 2, null));
        assertThat(entry(there().sequence(name), 1)).isEqualTo(copied);
    }

    private ResolvedCommits resolved(String counter, String sequence) {
        return ResolvedCommits.of(backend(), this::commit, counter, sequence);
    }

    /** Sends two appends in a commit whose token was resolved for the second one. */
    private void assertSecondAppendIsNotApplied(SequenceStore sending) {
        List<AppendRequest> requests = List.of(AppendRequest.of(Map.of(), null), AppendRequest.of(Map.of(), null));
        if (sending.limits().direct() || !Batches.accepts(sending, requests)) {
            return;
        }
        String name = name();
        Commit commit = commit();
        CommittedChange appends = new CommittedChange(
                "batch of appends",
                ChangeTarget.append(name, 1),
                (process, sent) -> process.sequences()
                        .append(name, requests, sent)
                        .thenAccept(results -> {
                            assertThat(results.get(1).isApplied())
                                    .as(
                                            "whether the second append of a commit is applied although it was resolved as not applied")
                                    .isFalse();
                            throw new NotAppliedException("as expected");
                        }));
        backend().resolve(commit.token(), appends.target(), commit()).join();
        new ResolvedCommits(Map.of(commit, appends)).check(backend(), "for its second append");
        assertThat(there().sequence(name).last())
                .as("the last number after a commit of two appends, of which the second was resolved as not applied")
                .isLessThan(2);
    }

    @Test
    @Rule(
            value = "5.27",
            lookAt =
                    "what each kind of change answers if it finds that the token of its commit was resolved while it was on"
                            + " its way; a resolution that looks for the commit, and then writes its decision over it")
    final void spec527_commitThatIsResolvedOnItsWayIsNotReportedAsApplied() throws Exception {
        int kinds = CommittedChange.all(here().capabilities(), "", "").size();
        List<TimedTrial> sweeps = new ArrayList<>();
        for (int i = 0; i < kinds; i++) {
            int kind = i;
            sweeps.add(() -> sweep(kind, false));
            sweeps.add(() -> sweep(kind, true));
        }
        timeBox.run(sweeps, sweeps.size(), random);
    }

    private void sweep(int kind, boolean holdsResolution) throws Exception {
        boolean isHeld = true;
        for (int call = 1; isHeld; call++) {
            isHeld = resolveOnItsWay(kind, holdsResolution, call);
        }
    }

    /** Holds a call of a change and resolves its commit meanwhile, or the reverse. Returns whether a call was held. */
    private boolean resolveOnItsWay(int kind, boolean holdsResolution, int call) throws Exception {
        Counter counter = there().counter(name());
        counter.add(5);
        Sequence sequence = there().sequence(name());
        sequence.append(Map.of("secret", "x"));
        CommittedChange change = CommittedChange.all(here().capabilities(), counter.name(), sequence.name())
                .get(kind);
        Commit commit = commit();
        IdempotencyToken token = commit.token();
        CounterBackend acting = backend();
        CounterBackend resolving = backend();
        Callable<Boolean> sending = () -> Outcomes.failureOf(change.send().apply(acting, commit)) == null;
        Callable<Boolean> resolution =
                () -> resolving.resolve(token, change.target(), commit()).join().applied();
        Object before = state(counter, sequence);
        Overtaken<Boolean, Boolean> answers;
        try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
            answers = holdsResolution
                    ? tasks.overtake(call, resolution, sending)
                    : tasks.overtake(call, sending, resolution);
        }
        String label =
                change.label() + (holdsResolution ? ", whose resolution was held" : ", held") + " at call " + call;
        boolean isReported = holdsResolution ? answers.other() : answers.result();
        boolean isResolved = holdsResolution ? answers.result() : answers.other();
        if (!isResolved) {
            assertThat(isReported)
                    .as("%s: whether it was reported as applied although its commit was resolved as not applied", label)
                    .isFalse();
            assertThat(state(counter, sequence))
                    .as("%s, resolved as not applied: the stored state", label)
                    .isEqualTo(before);
        }
        assertThat(backend().resolve(token, change.target(), commit()).join().applied())
                .as("%s: whether a second resolution is that it was applied, as the first one", label)
                .isEqualTo(isResolved);
        return answers.isHeld();
    }

    private static Object state(Counter counter, Sequence sequence) {
        return List.of(counter.get(), sequence.tail(), sequence.read(1, 9));
    }

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
                    resolution = resolveOrFail(() -> impatient.resolve(token));
                    isHit = faults.isHit();
                }
                String returned = resolution == null ? ", failed and was made again" : "";
                assertThat(resolution == null ? impatient.settle(token, LATER) : resolution)
                        .as("%s%s", label, returned)
                        .isEqualTo(new Resolution.NotApplied());
                assertThatExceptionOfType(TokenRefusedException.class)
                        .as("%s%s, returned that the token is not applied: the refusal of a later add", label, returned)
                        .isThrownBy(() -> elsewhere(counter).add(1, token));
                assertThat(counter.get()).as(label).isZero();
                return isHit;
            });
        }
        resolveCommits(plans);
    }

    /** Resolves commits with faults, each kind of change with some of the plans. */
    private void resolveCommits(List<FaultPlan> plans) {
        CounterBackend resolving = backend();
        CounterBackend sending = backend();
        Counter counter = counter(5);
        Sequence sequence = sequence();
        sequence.append(Map.of("secret", "x"));
        List<CommittedChange> changes = CommittedChange.all(here().capabilities(), counter.name(), sequence.name());
        for (int i = 0; i < plans.size(); i++) {
            FaultPlan plan = plans.get(i);
            CommittedChange change = changes.get(i % changes.size());
            Sweep.run("a resolution of the commit of the " + change.label() + ", " + plan.label(), (label, call) -> {
                Commit commit = commit();
                boolean isHit;
                boolean isResolved;
                try (InjectedFaults faults = plan.inject(fixture().faults(), call)) {
                    Call soon = new Call(SOON, CountersListener.disabled());
                    isResolved = Outcomes.failureOf(resolving.resolve(commit.token(), change.target(), soon)) == null;
                    isHit = faults.isHit();
                }
                if (isResolved) {
                    new ResolvedCommits(Map.of(commit, change)).check(sending, label);
                }
                return isHit;
            });
        }
    }

    private static @Nullable Resolution resolveOrFail(Supplier<Resolution> resolving) {
        try {
            return resolving.get();
        } catch (CounterException e) {
            return null;
        }
    }
}
