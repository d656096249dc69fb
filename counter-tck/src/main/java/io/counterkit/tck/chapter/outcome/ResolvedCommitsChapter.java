package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.fault.CommittedChange;
import io.counterkit.tck.internal.fault.ConcurrentTasks.Overtaken;
import io.counterkit.tck.internal.fault.Outcomes;
import io.counterkit.tck.internal.fault.ResolvedCommits;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Chapters 5 and 7, continued: commits whose tokens are resolved before they are sent, or while they are in flight. */
public abstract class ResolvedCommitsChapter extends Chapter {
    /** How often a resolution is made if a change in flight makes it fail. */
    private static final int MOST_RESOLUTIONS = 20;

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
        resolved(counter.name(), sequence.name()).check(backend, "immediately");
        assertTotalElsewhere(counter, 5);
        assertTailElsewhere(sequence, new Tail(1, 1, null));
        assertThat(entry(elsewhere(sequence), 1).erased()).isFalse();
        ResolvedCommits resolved = resolved(counter.name(), sequence.name());
        elsewhere(counter).reset();
        counter.add(1);
        elsewhere(counter).delete();
        counter.add(6);
        elsewhere(sequence).append(Map.of("secret", "y"));
        sequence.erase(2);
        resolved.check(backend, "after other changes");
        assertTotalElsewhere(counter, 6);
        assertTailElsewhere(sequence, new Tail(2, 2, null));
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
        assertTotalElsewhere(name, 7);
        assertTailElsewhere(name, new Tail(3, 2, null));
        assertThat(entry(there().sequence(name), 1))
                .as("the entry that is read")
                .isEqualTo(copied);
    }

    private ResolvedCommits resolved(String counter, String sequence) {
        return ResolvedCommits.of(backend(), this::commit, counter, sequence);
    }

    /** Sends two appends in a commit whose token was resolved for the second one. */
    private void assertSecondAppendIsNotApplied(SequenceStore sequences) {
        List<AppendRequest> requests = List.of(AppendRequest.of(Map.of(), null), AppendRequest.of(Map.of(), null));
        if (sequences.limits().direct() || !Batches.accepts(sequences, requests)) {
            return;
        }
        String name = name();
        Commit commit = commit();
        assertThat(backend()
                        .resolve(commit.token(), ChangeTarget.append(name, 1), commit())
                        .join())
                .isEqualTo(new Resolution.NotApplied());
        boolean isApplied = sequences
                .append(name, requests, commit)
                .handle((results, failure) -> failure == null && results.get(1).isApplied())
                .join();
        assertThat(isApplied)
                .as("whether the second append of a commit is applied, although it was resolved as not applied")
                .isFalse();
        assertThat(there().sequence(name).last())
                .as("the last number after a commit of two appends, the second of which was resolved as not applied")
                .isLessThan(2);
    }

    @Test
    @Rule(
            value = "5.27",
            lookAt = "what each kind of change returns if the token of its commit was resolved while it was in flight;"
                    + " a resolution that first looks for the commit and then, in a second step, overwrites"
                    + " it with its decision")
    final void spec527_commitThatIsResolvedOnItsWayIsNotReportedAsApplied() throws Exception {
        CounterBackend acting = backend();
        CounterBackend resolving = backend();
        int kinds = CommittedChange.all(acting.capabilities(), "", "").size();
        List<TimedTrial> sweeps = new ArrayList<>();
        for (int i = 0; i < kinds; i++) {
            int kind = i;
            sweeps.add(() -> sweep(acting, resolving, kind, false));
            sweeps.add(() -> sweep(acting, resolving, kind, true));
        }
        timeBox.run(sweeps, sweeps.size(), random);
    }

    private void sweep(CounterBackend acting, CounterBackend resolving, int kind, boolean holdsResolution)
            throws Exception {
        boolean isHeld = true;
        for (int call = 1; isHeld; call++) {
            isHeld = resolveOnItsWay(acting, resolving, kind, holdsResolution, call);
        }
    }

    /** Holds a call of a change and resolves its commit meanwhile, or the reverse. Returns whether a call was held. */
    private boolean resolveOnItsWay(
            CounterBackend acting, CounterBackend resolving, int kind, boolean holdsResolution, int call)
            throws Exception {
        Counter counter = there().counter(name());
        counter.add(5);
        Sequence sequence = there().sequence(name());
        sequence.append(Map.of("secret", "x"));
        CommittedChange change = CommittedChange.all(acting.capabilities(), counter.name(), sequence.name())
                .get(kind);
        Commit commit = commit();
        IdempotencyToken token = commit.token();
        Callable<Boolean> sending = () -> Outcomes.failureOf(change.send().apply(acting, commit)) == null;
        Callable<Boolean> resolution = () -> isResolvedAsApplied(resolving, token, change.target());
        Object before = state(resolving, counter, sequence);
        Overtaken<Boolean, Boolean> answers = holdsResolution
                ? tasks().overtake(call, resolution, sending)
                : tasks().overtake(call, sending, resolution);
        String label =
                change.label() + (holdsResolution ? ", whose resolution was held" : ", held") + " at call " + call;
        boolean isReported = holdsResolution ? answers.other() : answers.result();
        boolean isResolved = holdsResolution ? answers.result() : answers.other();
        if (!isResolved) {
            assertThat(isReported)
                    .as("%s: whether it was reported as applied although its commit was resolved as not applied", label)
                    .isFalse();
            assertThat(state(resolving, counter, sequence))
                    .as("%s, resolved as not applied: the stored state", label)
                    .isEqualTo(before);
        }
        assertThat(isResolvedAsApplied(acting, token, change.target()))
                .as("%s: whether a second resolution returns applied, which has to be as in the first one", label)
                .isEqualTo(isResolved);
        return answers.isHeld();
    }

    /** Resolves a token. Repeats the resolution if it fails, since the change may block it. */
    private boolean isResolvedAsApplied(CounterBackend resolving, IdempotencyToken token, ChangeTarget target) {
        for (int attempt = 1; ; attempt++) {
            try {
                return Futures.join(resolving.resolve(token, target, commit())).applied();
            } catch (CounterException e) {
                if (attempt == MOST_RESOLUTIONS) {
                    throw e;
                }
            }
        }
    }

    private Object state(CounterBackend process, Counter counter, Sequence sequence) {
        boolean isSealed = declares(Capability.SEAL_COUNTERS)
                && process.migration()
                                .states(Kind.COUNTER, List.of(counter.name()), commit())
                                .join()
                                .get(0)
                                .seal()
                        != null;
        return List.of(counter.get(), isSealed, sequence.tail(), sequence.read(1, 9));
    }
}
