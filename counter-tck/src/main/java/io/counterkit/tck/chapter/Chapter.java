package io.counterkit.tck.chapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Sequence;
import io.counterkit.spi.Capability;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.TimeBox;
import io.counterkit.tck.internal.fault.Trial;
import io.counterkit.tck.internal.fault.Trials;
import io.counterkit.tck.internal.report.RuleReport;
import io.counterkit.tck.internal.report.TimeLimit;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The base class of all chapters. Connects processes to one store and provides random names, faults and a seed. A
 * failure prints the seed; {@code -Dcounterkit.seed=…} sets it.
 */
@ExtendWith(RuleReport.class)
@Execution(ExecutionMode.CONCURRENT)
public abstract class Chapter {
    /** The largest number of calls to the store in one operation. */
    private static final int MAX_CALLS = 60;

    /** A busy machine may miss a short deadline, but hardly several in a row. */
    private static final int MAX_EXPIRED_RUNS = 5;

    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private static final Duration LONGEST_COMMIT = Duration.ofSeconds(20);

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(60);

    @RegisterExtension
    final TimeBox timeBox = new TimeBox();

    @RegisterExtension
    final TimeLimit timeLimit = new TimeLimit(() -> fixture().enterThread());

    private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();
    private @Nullable BackendFixture fixture;
    private @Nullable Counters here;
    private @Nullable Counters there;

    /** The seed of this test. */
    final long seed = Long.getLong("counterkit.seed", System.nanoTime());

    /** Generates all random decisions of this test, from the seed. */
    final Random random = new Random(seed);

    /** Creates the store for one test. */
    protected abstract BackendFixture createFixture();

    @BeforeEach
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    final void openStore() {
        fixture = createFixture();
        fixture.enterThread();
        CountersOptions options =
                CountersOptions.builder().deadline(fixture.deadline()).build();
        here = connect(options);
        there = connect(options);
    }

    @AfterEach
    final void closeStore() throws Throwable {
        try {
            TimeLimit.run(
                    this::closeAll, fixture()::enterThread, LONGEST_CLOSE, "the close of the backends of the test");
        } finally {
            fixture().enterThread();
            fixture().close();
        }
    }

    private void closeAll() throws Exception {
        for (AutoCloseable last = opened.pollLast(); last != null; last = opened.pollLast()) {
            last.close();
        }
    }

    final BackendFixture fixture() {
        return required(fixture);
    }

    /** Returns a process. */
    final Counters here() {
        return required(here);
    }

    /** Returns another process on the same store. */
    final Counters there() {
        return required(there);
    }

    /** Connects a further process. */
    final Counters connect(CountersOptions options) {
        Counters counters = open(fixture().connect(), options);
        opened.add(counters);
        return counters;
    }

    /** Creates the API layer. Only the kit's own tests override this method, to return a wrong one. */
    Counters open(CounterBackend backend, CountersOptions options) {
        return Counters.over(backend, options);
    }

    /** Connects a process with a short deadline. */
    final Counters impatient() {
        return impatient(Duration.ofMillis(300));
    }

    /** Connects a process with this deadline. */
    final Counters impatient(Duration deadline) {
        return connect(CountersOptions.builder()
                .deadline(deadline)
                .drainTimeout(deadline)
                .build());
    }

    /** Returns a stage on which {@code acting} makes changes and another process observes them. */
    final Stage stage(Counters acting) {
        return stage(acting, LONGEST_COMMIT);
    }

    /** The same, where calls of the acting process below the API layer end at this deadline. */
    final Stage stage(Counters acting, Duration deadline) {
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

    /** Connects a further process without the API layer. */
    final CounterBackend backend() {
        CounterBackend backend = fixture().connect();
        opened.add(backend);
        return backend;
    }

    /** Returns a commit with a long deadline, for a change below the API layer. */
    final Commit commit() {
        Duration longest = fixture().deadline();
        return commit(longest.compareTo(LONGEST_COMMIT) < 0 ? LONGEST_COMMIT : longest);
    }

    private Commit commit(Duration deadline) {
        return new Commit(deadline, random, CountersListener.disabled());
    }

    final boolean declares(Capability capability) {
        return here().capabilities().contains(capability);
    }

    /** Returns a name that was not used before. */
    final String name() {
        return "tck/" + UUID.randomUUID();
    }

    final Counter counter() {
        return here().counter(name());
    }

    /** Returns a new counter with this total. */
    final Counter counter(long total) {
        Counter counter = counter();
        counter.add(total);
        return counter;
    }

    final Sequence sequence() {
        return here().sequence(name());
    }

    /** Returns the same counter in another process. */
    final Counter elsewhere(Counter counter) {
        return there().counter(counter.name());
    }

    /** Returns the same sequence in another process. */
    final Sequence elsewhere(Sequence sequence) {
        return there().sequence(sequence.name());
    }

    /** Returns the entry with this number. */
    static Entry entry(Sequence sequence, long number) {
        List<Entry> entries = sequence.read(number, number);
        assertThat(entries).as("the result of reading entry %s", number).hasSize(1);
        return entries.get(0);
    }

    /**
     * Repeats an assertion on the store's lists until it passes or an attempt that begins after the fixture's lag
     * fails. Runs on this thread, since the store may be bound to it.
     */
    final void awaitLists(Runnable look) {
        long end = System.nanoTime() + fixture().lag().plusMillis(200).toNanos();
        while (true) {
            boolean isLast = System.nanoTime() - end > 0;
            try {
                look.run();
                return;
            } catch (AssertionError e) {
                if (isLast) {
                    throw e;
                }
                LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            }
        }
    }

    final InjectedFault inject(StoreFault fault, int call) {
        return fixture().faults().inject(fault, call);
    }

    /**
     * Repeats an operation with the fault at its first call to the store, then at its second, and so on, until the
     * operation makes no further call. The operation ends the fault before it checks the result.
     */
    final void sweep(StoreFault fault, Consumer<Trial> operation) {
        sweep(fault, () -> "", (nothing, trial) -> operation.accept(trial));
    }

    /**
     * As {@link #sweep(StoreFault, Consumer)}, with a new subject for each run, created before the fault is injected.
     */
    final <T> void sweep(StoreFault fault, Supplier<T> ready, BiConsumer<T, Trial> operation) {
        sweep("one operation", (label, call) -> runTrial(fault, call, ready.get(), operation));
    }

    /**
     * Repeats a trial with the fault at the first call, then at the second, and so on, until there is no further call.
     */
    static void sweep(String label, FaultyTrial trial) {
        int expiredRuns = 0;
        int call = 1;
        while (call <= MAX_CALLS) {
            if (trial.run(label + " at call " + call, call)) {
                call++;
            } else if (call > 1) {
                return;
            } else {
                assertThat(++expiredRuns) // a short deadline may expire before the first call
                        .as("%s: runs in which no call to the store reached the fixture's FaultInjector", label)
                        .isLessThan(MAX_EXPIRED_RUNS);
            }
        }
        throw new AssertionError(label + " made more than " + MAX_CALLS + " calls to the store");
    }

    /** A trial with a fault at one call. Returns whether that call was made. */
    interface FaultyTrial {
        boolean run(String label, int call);
    }

    private <T> boolean runTrial(StoreFault fault, int call, T subject, BiConsumer<T, Trial> operation) {
        try (InjectedFault injected = inject(fault, call)) {
            operation.accept(subject, new Trial(fault, call, injected));
            return injected.isHit();
        }
    }

    /** Checks that the backend itself refuses a call that needs an undeclared capability. */
    static void assertUnsupported(Supplier<CompletableFuture<?>> call) {
        Throwable refusal = catchThrowable(() -> call.get().join());
        assertThat(refusal)
                .as("the failure of a call that needs an undeclared capability")
                .isNotNull();
        assertThat(Futures.unwrap(refusal))
                .as("the failure of a call that needs an undeclared capability")
                .isInstanceOf(UnsupportedOperationException.class);
    }

    /** Makes a change and returns whether it was applied. Another process resolves an unknown outcome. */
    final boolean applyAndResolve(Runnable change) {
        try {
            change.run();
            return true;
        } catch (OutcomeUnknownException e) {
            return isApplied(e.token());
        } catch (NotAppliedException e) {
            return false;
        }
    }

    /** Returns whether another process resolves a token as applied. Repeats the call if a fault hits it. */
    final boolean isApplied(IdempotencyToken token) {
        return Trials.isApplied(there(), token);
    }

    private static <T> T required(@Nullable T opened) {
        if (opened == null) {
            throw new IllegalStateException("the store is not open outside a test");
        }
        return opened;
    }
}
