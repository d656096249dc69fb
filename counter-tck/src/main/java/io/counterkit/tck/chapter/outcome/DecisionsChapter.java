package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.CommittedChange;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.LateAttempts;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.ResolvedCommits;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.fault.Trials;
import io.counterkit.tck.internal.view.BegunLists;
import io.counterkit.tck.internal.view.Reports;
import io.counterkit.tck.internal.view.View;
import io.counterkit.tck.internal.view.ViewTrial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 5, continued: resolutions and reported outcomes that are checked again later. */
public abstract class DecisionsChapter extends Chapter {
    /** The smallest number of trials of late attempts on a slow store. */
    private static final int LATE = 5;

    /** Longer than a short-lived cache keeps its content, and than a backend waits before a late retry. */
    private static final Duration MUCH_LATER = Duration.ofMillis(2500);

    @Test
    @Rule(
            value = "5.22",
            lookAt = "the unit and the time zone in which anything expires, and what is sent again in the background"
                    + " after its outcome was reported; a first attempt that reaches the store after a"
                    + " later one was answered, and finds no trace of that answer")
    final void spec522_outcomesAreTrueMuchLater() throws Exception {
        Counter counter = counter();
        Sequence sequence = sequence();
        IdempotencyToken added = IdempotencyToken.random();
        IdempotencyToken appended = IdempotencyToken.random();
        IdempotencyToken never = IdempotencyToken.random();
        counter.add(5, added);
        Entry first = sequence.append(Change.ADDED, "s", Map.of("a", 1L), appended);
        assertThat(here().resolve(never).applied()).isFalse();
        Stage stage = stage(impatient(Duration.ofMillis(200)), Duration.ofSeconds(1));
        Trials trials = new Trials(stage);
        List<FaultPlan> plans = new ArrayList<>(FaultPlan.outages());
        plans.addAll(FaultPlan.single());
        List<TimedTrial> changes = new ArrayList<>();
        for (Operation<List<Part>> operation : possible(Changes.all())) {
            FaultPlan plan = plans.get(random.nextInt(plans.size()));
            changes.add(() -> trials.change(
                    operation.label() + ", " + plan.label() + " at call 1", operation.on(stage), inject(plan, 1)));
        }
        timeBox.run(changes, changes.size(), random);
        timeBox.runBriefly(new LateAttempts(tasks(), here(), there(), this::name).trials(random), LATE);
        timeBox.runBriefly(new LateImports(tasks(), stage).trials(), LATE);
        CounterBackend backend = backend();
        Commit commit = commit();
        ChangeTarget place = ChangeTarget.append(sequence.name(), 0);
        IdempotencyToken shared = commit.token();
        appendTo(backend, sequence, commit).join();
        List<Runnable> checks =
                new ArrayList<>(List.of(commits(backend), decisions(backend), views(), listeners(backend)));
        String prefix = name() + "/";
        BegunLists lists = BegunLists.under(prefix, here(), this::awaitLists);
        checks.add(() -> lists.check(prefix, there(), "much later"));
        if (declares(Capability.IMPORT)) {
            checks.add(anImport(backend.migration()));
        }
        resolveAndHoldUntilMuchLater(backend);
        trials.checkAgain();
        assertThat(backend().resolve(shared, place, commit()).join())
                .as("the resolution of a commit much later")
                .isEqualTo(new Resolution.Appended(sequence.name(), 2));
        checks.forEach(Runnable::run);
        elsewhere(counter).add(5, added);
        assertThat(counter.get())
                .as("the total after an add that was repeated much later")
                .isEqualTo(5);
        assertThat(elsewhere(sequence).append(Change.ADDED, "s", Map.of("a", 2L), appended))
                .isEqualTo(first);
        assertThatExceptionOfType(ChangeRefusedException.class)
                .as("the refusal to add a subject that was added much earlier")
                .isThrownBy(() -> elsewhere(sequence).append(Change.ADDED, "s", Map.of()));
        assertResolved(added, new Resolution.Added(counter.name(), 5));
        assertResolved(appended, new Resolution.Appended(sequence.name(), 1));
        assertResolved(never, new Resolution.NotApplied());
        assertThatExceptionOfType(TokenRefusedException.class)
                .as("the refusal of an add whose token was resolved as not applied before")
                .isThrownBy(() -> counter.add(1, never));
    }

    /**
     * Makes a change of each kind, a seal last. Returns the check that commits are resolved as applied and seals
     * refuse.
     */
    private Runnable commits(CounterBackend backend) {
        Counter counter = counter(5);
        Sequence sequence = sequence();
        sequence.next();
        Map<IdempotencyToken, CommittedChange> commits = new LinkedHashMap<>();
        for (CommittedChange change : CommittedChange.all(here().capabilities(), counter.name(), sequence.name())) {
            Commit commit = commit();
            commits.put(commit.token(), change);
            change.send().apply(backend, commit).join();
        }
        return () -> {
            commits.forEach((token, change) -> assertThat(backend()
                            .resolve(token, change.target(), commit())
                            .join()
                            .applied())
                    .as("whether the commit of the %s is resolved as applied much later", change.label())
                    .isTrue());
            if (declares(Capability.SEAL_COUNTERS)) {
                assertThatExceptionOfType(SealedException.class).isThrownBy(counter::increment);
            }
            if (declares(Capability.SEAL_SEQUENCES)) {
                assertThatExceptionOfType(SealedException.class).isThrownBy(sequence::next);
            }
        };
    }

    /** Resolves a commit of each kind that is never sent. Returns the check that it is refused. */
    private Runnable decisions(CounterBackend backend) {
        Counter counter = counter(5);
        Sequence sequence = sequence();
        sequence.next();
        ResolvedCommits resolved = ResolvedCommits.of(backend, this::commit, counter.name(), sequence.name());
        return () -> {
            resolved.check(backend(), "much later");
            assertTotalElsewhere(counter, 5);
            assertTailElsewhere(sequence, new Tail(1, 1, null));
        };
    }

    /** Makes every kind of change. Returns the check that every kind of read shows the changes. */
    private Runnable views() {
        Stage stage = stage(here());
        List<ViewTrial> views = some(View.all(stage.actingBackend())).stream()
                .map(view -> view.on(stage, 2))
                .toList();
        views.forEach(ViewTrial::change);
        return () -> views.forEach(viewed -> viewed.check("much later"));
    }

    /** Listens to a counter and a sequence. Returns the check that the listeners are called while they are live. */
    private Runnable listeners(CounterBackend backend) {
        Counter counter = counter(1);
        Sequence sequence = sequence();
        Reports ofCounter = Reports.ofCounter(backend.counters(), counter.name(), this::commit);
        Reports ofSequence = Reports.ofSequence(backend.sequences(), sequence.name(), this::commit);
        return () -> {
            check(ofCounter, elsewhere(counter)::increment);
            check(ofSequence, elsewhere(sequence)::next);
        };
    }

    private static void check(@Nullable Reports reports, Runnable change) {
        if (reports != null) {
            reports.awaitLive();
            Reports.checkReported(List.of(reports), "a change much later", change);
            reports.close();
        }
    }

    /** Imports a counter. Returns the check that the import is known. */
    private Runnable anImport(MigrationStore into) {
        String name = name();
        ImportedState state = new ImportedState("elsewhere", true, 7, 0);
        into.importBase(Kind.COUNTER, name, state, commit()).join();
        return () -> {
            MigrationStore other = backend().migration();
            assertThat(other.bases(Kind.COUNTER, List.of(name), commit()).join())
                    .as("the imported state much later")
                    .containsExactly(Optional.of(state));
            assertThat(other.importBase(Kind.COUNTER, name, new ImportedState("x", true, 8, 0), commit())
                            .join())
                    .as("the state that another import returns much later")
                    .isEqualTo(state);
        };
    }

    private static CompletableFuture<?> appendTo(CounterBackend backend, Sequence sequence, Commit commit) {
        AppendRequest request = new AppendRequest(Change.ADDED, null, Map.of(), null);
        return backend.sequences().append(sequence.name(), List.of(request), commit);
    }

    /** Holds an append, resolves its commit, and releases the append much later. */
    private void resolveAndHoldUntilMuchLater(CounterBackend backend) throws Exception {
        Sequence sequence = sequence();
        Commit commit = commit();
        ChangeTarget place = ChangeTarget.append(sequence.name(), 0);
        IdempotencyToken token = commit.token();
        Resolution resolution;
        Future<Boolean> sending;
        try (InjectedFault held = inject(StoreFault.HOLD, 1)) {
            sending = tasks().start(() -> appendTo(backend, sequence, commit)
                    .handle((results, failure) -> failure == null)
                    .join());
            ConcurrentTasks.awaitBriefly(held::isHit);
            resolution = backend().resolve(token, place, commit()).join();
            LockSupport.parkNanos(MUCH_LATER.toNanos());
        }
        assertThat(ConcurrentTasks.result(sending)).isNotNull();
        assertThat(elsewhere(sequence).last())
                .as("the last number after an append that reached the store much later than its resolution")
                .isEqualTo(resolution.applied() ? 1 : 0);
    }
}
