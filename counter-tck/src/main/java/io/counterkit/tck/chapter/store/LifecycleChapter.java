package io.counterkit.tck.chapter.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Sequence;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Listening;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.CommittedChange;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.Sweep;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Chapter 12: lifecycle. */
public abstract class LifecycleChapter extends Chapter {
    /** More processes than a store usually has connections. On a slow store, as many as are opened in {@link #LONG}. */
    private static final int PROCESSES = 120;

    private static final int FEW_PROCESSES = 5;
    private static final long LONG = TimeUnit.SECONDS.toNanos(3);

    @Test
    @Rule(value = "12.1", lookAt = "state that is kept in the process instead of the store")
    final void spec1201_nextProcessReadsEverything() {
        Counters first = connect();
        String name = name();
        IdempotencyToken token = IdempotencyToken.random();
        first.counter(name).add(5, token);
        first.sequence(name).append(Map.of("a", "b"));
        first.close();
        Counters second = connect();
        assertTotal(second.counter(name), 5);
        second.counter(name).add(5, token);
        assertTotal(second.counter(name), 5);
        appendNumber(second.sequence(name), 2);
        assertThat(entry(second.sequence(name), 1).fields())
                .as("the fields of the entry")
                .isEqualTo(Map.of("a", "b"));
    }

    @Test
    @Rule(
            value = "12.2",
            lookAt = "the API layer, which refuses calls after close; a second close of the backend that fails")
    final void spec1202_useAfterCloseIsRefused() {
        Counters counters = connect();
        Counter counter = counters.counter(name());
        Sequence sequence = counters.sequence(name());
        counter.increment();
        counters.close();
        counters.close();
        List<ThrowingCallable> uses = List.of(
                counter::increment,
                () -> counter.add(1, IdempotencyToken.random()),
                counter::get,
                counter::reset,
                counter::delete,
                () -> counter.async().add(1),
                () -> counter.async().get(),
                sequence::next,
                sequence::tail,
                () -> sequence.read(1, 2),
                () -> sequence.erase(1),
                () -> sequence.async().append(Map.of()),
                () -> counters.counterNames(""),
                () -> counters.sequenceNames(""),
                () -> counters.readAll(List.of(counter.name()), Duration.ZERO),
                () -> counters.resolve(IdempotencyToken.random()));
        for (ThrowingCallable use : uses) {
            assertThatIllegalStateException().isThrownBy(use).withMessageContaining("closed");
        }
        assertTotalElsewhere(counter, 1);
        CounterBackend backend = backend();
        backend.close();
        backend.close();
        assertThat(elsewhere(counter).get())
                .as("the total in a process, after another one was closed twice")
                .isOne();
    }

    @Test
    @Rule(value = "12.3", lookAt = "background work that is not complete when the backend is closed")
    final void spec1203_closeWaitsForAcceptedRequests() {
        Counters counters = connect();
        String name = name();
        List<CompletableFuture<?>> accepted = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            accepted.add(counters.counter(name).async().add(1));
            accepted.add(counters.sequence(name).async().append(Map.of()));
        }
        counters.close();
        assertThat(accepted).allSatisfy(future -> assertThat(future).isCompleted());
        assertTotalElsewhere(name, 100);
        assertLastElsewhere(name, 100);
    }

    @Test
    @Rule(value = "12.4", lookAt = "resources that several backends share")
    final void spec1204_closeOfOneProcessDoesNotAffectAnother() {
        Counters first = connect();
        Counters second = connect();
        String name = name();
        first.counter(name).increment();
        first.close();
        second.counter(name).increment();
        assertTotal(second.counter(name), 2);
        appendNumber(second.sequence(name), 1);
    }

    @Test
    @Rule(
            value = "12.5",
            lookAt =
                    "a change that reaches the store after close: its token has to be written with it; the calls that are"
                            + " under way when the backend is closed, and those that wait for a retry: each has to end, and as not"
                            + " applied only if no attempt was applied or will be")
    final void spec1205_closeReportsUnknownOutcomes() throws Exception {
        sweep(StoreFault.HOLD, trial -> {
            Counters counters =
                    connect(options().drainTimeout(Duration.ofMillis(300)).build());
            Counter counter = counters.counter(name());
            List<IdempotencyToken> unknown = new CopyOnWriteArrayList<>();
            boolean applied;
            try {
                CountDownLatch begun = new CountDownLatch(1);
                Future<Boolean> add = tasks().start(() -> {
                    begun.countDown();
                    return applyAndResolve(() -> increment(counter, unknown), trial);
                });
                begun.await();
                await().atMost(Duration.ofSeconds(60)).until(() -> trial.isHit() || add.isDone());
                String closed = close(counters);
                applied = ConcurrentTasks.result(add);
                unknown.forEach(token -> assertThat(closed)
                        .as("the message of the exception of close(), which has to contain the token of the"
                                + " unknown add")
                        .contains(token.value()));
            } catch (Exception e) {
                throw new AssertionError(trial.toString(), e);
            }
            trial.close();
            assertThat(elsewhere(counter).get())
                    .as("%s: the total", trial.reported(applied))
                    .isEqualTo(applied ? 1 : 0);
        });
        List<FaultPlan> plans = new ArrayList<>(FaultPlan.outages());
        plans.add(FaultPlan.held(1));
        List<List<TimedTrial>> changes = new ArrayList<>();
        CounterBackend observing = backend();
        List<CommittedChange> kinds = changes();
        for (int i = 0; i < kinds.size(); i++) {
            int kind = i;
            String label = "the " + kinds.get(kind).label() + " of a backend that is closed meanwhile, ";
            changes.add(plans.stream()
                    .map(plan -> (TimedTrial) () -> sweepCloses(label + plan.label(), kind, plan, observing))
                    .toList());
        }
        timeBox.run(changes, random);
    }

    /** Closes backends while each call of a change of this kind, and those after it, are disturbed. */
    private void sweepCloses(String label, int kind, FaultPlan plan, CounterBackend observing) {
        ClosedCalls closed = new ClosedCalls(tasks(), this::backend, observing, this::commit);
        Sweep.run(label, (at, call) -> closed.isHit(at, changes().get(kind), plan, call));
    }

    /** Returns a change of each kind, of a counter and of a sequence that are in use. */
    private List<CommittedChange> changes() {
        Sequence sequence = sequence();
        sequence.append(Map.of("a", "b"));
        return CommittedChange.all(here().capabilities(), counter(5).name(), sequence.name());
    }

    @Test
    @Rule(
            value = "12.6",
            lookAt = "resources that a closed backend keeps: connections, sessions, listeners; a limit on processes"
                    + " that counts closed ones")
    final void spec1206_closedProcessesExhaustNoResource() {
        Counter counter = counter();
        long start = System.nanoTime();
        int opened = 0;
        while (opened < PROCESSES && (opened < FEW_PROCESSES || System.nanoTime() - start < LONG)) {
            CounterBackend backend = fixture().connect();
            Counters process = Counters.over(backend);
            Listening unused = backend.counters().listen(counter.name(), () -> {}); // closed with the backend
            Listening unusedToo = backend.sequences().listen(counter.name(), () -> {});
            process.counter(counter.name()).add(1);
            assertThat(process.sequence(counter.name()).next())
                    .as("the number from process %s", opened + 1)
                    .isEqualTo(opened + 1);
            process.close();
            opened++;
        }
        assertThat(elsewhere(counter).get())
                .as(
                        "the total after %s processes were closed, which had listeners if the backend supports them",
                        opened)
                .isEqualTo(opened);
    }

    /** Adds, and records the token if the outcome is unknown because the counters were closed. */
    private static void increment(Counter counter, List<IdempotencyToken> unknown) {
        try {
            counter.increment();
        } catch (OutcomeUnknownException e) {
            if (String.valueOf(e.getMessage()).contains("the counters were closed")) {
                unknown.add(e.token());
            }
            throw e;
        }
    }

    /** Closes counters. Returns the message of the exception, or "nothing" if there is none. */
    private static String close(Counters counters) {
        try {
            counters.close();
            return "nothing";
        } catch (OutcomeUnknownException e) {
            assertThat(e).hasMessageContaining(e.token().value());
            return String.valueOf(e.getMessage());
        }
    }
}
