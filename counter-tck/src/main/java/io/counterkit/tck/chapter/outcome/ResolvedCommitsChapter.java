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
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.ConcurrentTasks.Overtaken;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.FaultPlan.InjectedFaults;
import io.counterkit.tck.internal.fault.ResolvedCommits;
import io.counterkit.tck.internal.fault.Sweep;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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

    /** A change below the API layer, whose future contains whether it was reported as applied. */
    private interface Sending {
        CompletableFuture<Boolean> send(String name, Commit commit);
    }

    private static final AppendRequest APPEND = new AppendRequest(Change.ADDED, null, Map.of(), null);

    @Test
    @Rule(
            value = "5.27",
            lookAt =
                    "what each kind of change answers if it finds that the token of its commit was resolved while it was on"
                            + " its way")
    final void spec527_commitThatIsResolvedOnItsWayIsNotReportedAsApplied() throws Exception {
        CounterBackend acting = backend();
        Map<String, Sending> changes = new LinkedHashMap<>();
        changes.put(
                "add",
                (name, commit) -> acting.counters()
                        .add(List.of(new AddRequest(name, 1, null)), commit)
                        .thenApply(results -> results.get(0).isApplied()));
        changes.put(
                "reset", (name, commit) -> acting.counters().reset(name, commit).thenApply(done -> true));
        changes.put(
                "deletion",
                (name, commit) -> acting.counters().delete(name, commit).thenApply(done -> true));
        if (declares(Capability.SEAL_COUNTERS)) {
            changes.put(
                    "seal",
                    (name, commit) ->
                            acting.counters().seal(name, "elsewhere", commit).thenApply(done -> true));
        }
        List<TimedTrial> sweeps = new ArrayList<>();
        changes.forEach((what, change) -> sweeps.add(() -> sweep(what + " of a counter", false, change)));
        changes.clear();
        changes.put(
                "append",
                (name, commit) -> acting.sequences()
                        .append(name, List.of(APPEND), commit)
                        .thenApply(results -> results.get(0).isApplied()));
        changes.put(
                "erasure",
                (name, commit) -> acting.sequences().erase(name, 1, commit).thenApply(done -> true));
        if (declares(Capability.SEAL_SEQUENCES)) {
            changes.put(
                    "seal",
                    (name, commit) ->
                            acting.sequences().seal(name, "elsewhere", commit).thenApply(done -> true));
        }
        changes.forEach((what, change) -> sweeps.add(() -> sweep(what + " of a sequence", true, change)));
        timeBox.run(sweeps, sweeps.size(), random);
    }

    private void sweep(String label, boolean isSequence, Sending change) throws Exception {
        boolean isHeld = true;
        for (int call = 1; isHeld; call++) {
            isHeld = resolveOnItsWay(label + ", held at call " + call, isSequence, change, call);
        }
    }

    /** Holds a call of a change and resolves its commit. Returns whether a call was held. */
    private boolean resolveOnItsWay(String label, boolean isSequence, Sending change, int call) throws Exception {
        String name = name();
        if (isSequence) {
            there().sequence(name).append(Map.of("secret", "x"));
        } else {
            there().counter(name).add(5);
        }
        Commit commit = commit();
        IdempotencyToken token = commit.token();
        ChangeTarget target = !isSequence
                ? ChangeTarget.counter(name)
                : label.startsWith("append") ? ChangeTarget.append(name, 0) : ChangeTarget.sequence(name);
        Object before = state(isSequence, name);
        CounterBackend resolving = backend();
        Overtaken<Boolean, Resolution> reported;
        try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
            reported = tasks.overtake(
                    call,
                    () -> change.send(name, commit)
                            .handle((isApplied, failure) -> failure == null && isApplied)
                            .join(),
                    () -> resolving.resolve(token, target, commit()).join());
        }
        if (!reported.other().applied()) {
            assertThat(reported.result())
                    .as("%s: whether it was reported as applied although its commit was resolved as not applied", label)
                    .isFalse();
            assertThat(state(isSequence, name))
                    .as("%s, resolved as not applied: the stored state", label)
                    .isEqualTo(before);
        }
        return reported.isHeld();
    }

    private Object state(boolean isSequence, String name) {
        return isSequence
                ? List.of(there().sequence(name).tail(), there().sequence(name).read(1, 9))
                : there().counter(name).get();
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
    }

    private static @Nullable Resolution resolveOrFail(Supplier<Resolution> resolving) {
        try {
            return resolving.get();
        } catch (CounterException e) {
            return null;
        }
    }
}
