package io.counterkit.tck.chapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.spi.Futures;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.FaultPlan.InjectedFaults;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Outcomes;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.Sweep;
import io.counterkit.tck.internal.fault.TimeBox;
import io.counterkit.tck.internal.fault.Trial;
import io.counterkit.tck.internal.report.RuleReport;
import io.counterkit.tck.internal.report.TimeLimit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The base class of all chapters. Injects faults into operations. A failure prints the seed of the test; {@code
 * -Dcounterkit.seed=…} sets it.
 */
@ExtendWith(RuleReport.class)
@Execution(ExecutionMode.CONCURRENT)
public abstract class Chapter extends ConnectedTests {
    /** How many texts of a long list are tried on a slow store in a brief build. */
    private static final int FEW = 50;

    /** The faults that end a call. */
    protected static final List<StoreFault> FAILURES = List.of(StoreFault.FAIL_BEFORE, StoreFault.LOSE_REPLY);

    /** More calls than a backend makes for one read, including its retries. */
    private static final int CALLS_PER_READ = 20;

    @RegisterExtension
    protected final TimeBox timeBox = new TimeBox(() -> counter(1));

    @RegisterExtension
    final TimeLimit timeLimit = new TimeLimit(() -> fixture().enterThread());

    /** Returns a stage on which {@code acting} makes changes and another process observes them. */
    protected final Stage stage(Counters acting) {
        return stage(acting, LONGEST_COMMIT);
    }

    /** The same, where calls of the acting process below the API layer end at this deadline. */
    protected final Stage stage(Counters acting, Duration deadline) {
        return new Stage(
                acting,
                backend(),
                there(),
                backend(),
                this::name,
                this::commit,
                () -> commit(deadline),
                this::awaitLists);
    }

    /** Returns the operations that the store's capabilities allow. */
    protected final <T> List<Operation<T>> possible(List<Operation<T>> operations) {
        return operations.stream()
                .filter(operation -> operation.isPossible(here().capabilities()))
                .toList();
    }

    /** Returns how many names, tokens or entries a test uses: {@code few} on a slow store in a brief build. */
    protected final int size(int many, int few) {
        return timeBox.size(many, few);
    }

    /** Returns all of these, or the first and a random selection for a slow store in a brief build. */
    protected final <T> List<T> some(List<T> all) {
        return timeBox.sample(all, FEW, random);
    }

    /** Returns the entry with this number. */
    protected static Entry entry(Sequence sequence, long number) {
        List<Entry> entries = sequence.read(number, number);
        assertThat(entries).as("the result of reading entry %s", number).hasSize(1);
        return entries.get(0);
    }

    protected final InjectedFault inject(StoreFault fault, int call) {
        return fixture().faults().inject(fault, call);
    }

    protected final InjectedFaults inject(FaultPlan plan, int call) {
        return plan.inject(fixture().faults(), call);
    }

    /**
     * Holds all calls of one read of a watch or a follower until it reports a failure, or for twice its deadline, since
     * they may block its thread.
     */
    protected final void outage(BooleanSupplier isReported) {
        // Each into the next call that has no fault yet, so that no call passes between two of them.
        List<InjectedFault> next = Stream.generate(() -> inject(StoreFault.HOLD, 1))
                .limit(CALLS_PER_READ)
                .toList();
        try (InjectedFaults held = new InjectedFaults(next)) {
            ConcurrentTasks.await(held::isHit, ConcurrentTasks.PATIENCE);
            ConcurrentTasks.await(isReported, ConcurrentTasks.SHORT_DEADLINE.multipliedBy(2));
        }
    }

    /**
     * Repeats an operation with the fault at its first call to the store, then at its second, and so on, until the
     * operation makes no further call. The operation ends the fault before it checks the result.
     */
    protected final void sweep(StoreFault fault, Consumer<Trial> operation) {
        sweep(fault, () -> "", (nothing, trial) -> operation.accept(trial));
    }

    /** The same, with new data for each run, which {@code ready} creates before the fault is injected. */
    protected final <T> void sweep(StoreFault fault, Supplier<T> ready, BiConsumer<T, Trial> operation) {
        Sweep.run(fixture().faults(), fault, ready, operation);
    }

    /** Sweeps with each of {@link #FAILURES}, with new data for each run. */
    protected final <T> void sweepFailures(Supplier<T> ready, BiConsumer<T, Trial> operation) {
        FAILURES.forEach(fault -> sweep(fault, ready, operation));
    }

    /** Checks that the backend itself refuses a call that needs an undeclared capability. */
    protected static void assertUnsupported(Supplier<CompletableFuture<?>> call) {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .as("the failure of a call that needs an undeclared capability")
                .isThrownBy(() -> Futures.join(call.get()));
    }

    /** Makes a change and returns whether it was applied. Another process resolves an unknown outcome. */
    protected final boolean applyAndResolve(Runnable change) {
        return Outcomes.applyAndResolve(change, () -> {}, there());
    }

    /** The same for a change one of whose calls may be held. The fault does not hit the calls of the resolution. */
    protected final boolean applyAndResolve(Runnable change, Trial held) {
        return Outcomes.applyAndResolve(change, held::endUnlessHit, there());
    }

    /** Returns whether another process resolves a token as applied. Repeats the call if a fault hits it. */
    protected final boolean isApplied(IdempotencyToken token) {
        return Outcomes.isApplied(there(), token);
    }
}
