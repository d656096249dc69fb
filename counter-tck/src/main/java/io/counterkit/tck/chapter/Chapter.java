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
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.Trial;
import io.counterkit.tck.internal.report.RuleReport;
import io.counterkit.tck.internal.report.TimeLimit;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

/**
 * What the tests of all chapters share: processes that are connected to one store, random names, faults, and a seed. A
 * failure prints the seed; {@code -Dcounterkit.seed=…} repeats it.
 */
@ExtendWith(RuleReport.class)
public abstract class Chapter {
    /** No fault is met later than this many calls into one operation. */
    private static final int MOST_CALLS = 60;

    /** A busy machine may be late for one short deadline, and hardly for the next ones too. */
    private static final int MOST_GIVEN_UP = 5;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

    private static final Duration LONGEST_COMMIT = Duration.ofSeconds(20);

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(60);

    @RegisterExtension
    final TimeLimit timeLimit = new TimeLimit(() -> fixture().enterThread());

    private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();
    private @Nullable BackendFixture fixture;
    private @Nullable Counters here;
    private @Nullable Counters there;

    /** The seed of what is random in this test. */
    final long seed = Long.getLong("counterkit.seed", System.nanoTime());

    /** Random, from the seed. */
    final Random random = new Random(seed);

    /** A store for one test. */
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
            TimeLimit.run(this::closeAll, fixture()::enterThread, LONGEST_CLOSE, "closing what the test has opened");
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

    /** One process. */
    final Counters here() {
        return required(here);
    }

    /** Another process on the same store. */
    final Counters there() {
        return required(there);
    }

    /** One more process. */
    final Counters connect(CountersOptions options) {
        Counters counters = open(fixture().connect(), options);
        opened.add(counters);
        return counters;
    }

    /** Not to be overridden but by the kit's own tests, which put a wrong API layer here. */
    Counters open(CounterBackend backend, CountersOptions options) {
        return Counters.over(backend, options);
    }

    /** A process whose callers give up soon. */
    final Counters impatient() {
        return impatient(Duration.ofMillis(300));
    }

    /** A process whose callers give up after {@code deadline}. */
    final Counters impatient(Duration deadline) {
        return connect(CountersOptions.builder()
                .deadline(deadline)
                .drainTimeout(deadline)
                .build());
    }

    /** The process {@code acting} with another one that observes it. */
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

    /** One more process, below the API layer. */
    final CounterBackend backend() {
        CounterBackend backend = fixture().connect();
        opened.add(backend);
        return backend;
    }

    /** A change below the API layer, with all the time it needs. */
    final Commit commit() {
        return commit(LONGEST_COMMIT);
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

    /** A counter with this total. */
    final Counter counter(long total) {
        Counter counter = counter();
        counter.add(total);
        return counter;
    }

    final Sequence sequence() {
        return here().sequence(name());
    }

    /** The same counter as another process sees it. */
    final Counter elsewhere(Counter counter) {
        return there().counter(counter.name());
    }

    /** The same sequence as another process sees it. */
    final Sequence elsewhere(Sequence sequence) {
        return there().sequence(sequence.name());
    }

    /** The entry of this number. */
    static Entry entry(Sequence sequence, long number) {
        List<Entry> entries = sequence.read(number, number);
        assertThat(entries).as("what is read as entry %s", number).hasSize(1);
        return entries.get(0);
    }

    /**
     * Waits for the store's lists to show what was changed before. How long one look takes is of no account, only how
     * long after the change it begins; on this thread, since the store may be bound to it.
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
                LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            }
        }
    }

    final InjectedFault inject(StoreFault fault, int call) {
        return fixture().faults().inject(fault, call);
    }

    /**
     * Runs an operation again and again, with the fault at its first call to the store, its second, and so on, until it
     * makes no more calls. It ends the fault before it checks anything.
     */
    final void sweep(StoreFault fault, Consumer<Trial> operation) {
        sweep(fault, () -> "", (nothing, trial) -> operation.accept(trial));
    }

    /** The same, with something that is made ready anew before the fault is injected. */
    final <T> void sweep(StoreFault fault, Supplier<T> ready, BiConsumer<T, Trial> operation) {
        int givenUp = 0;
        int call = 1;
        while (call <= MOST_CALLS) {
            if (isHit(fault, call, ready.get(), operation)) {
                call++;
            } else if (call > 1) {
                return;
            } else {
                assertThat(++givenUp) // an impatient caller may give up before its first call
                        .as(
                                "the operation made no call to the store that the fixture's FaultInjector could hit, so often")
                        .isLessThan(MOST_GIVEN_UP);
            }
        }
        throw new AssertionError("one operation made more than " + MOST_CALLS + " calls to the store");
    }

    private <T> boolean isHit(StoreFault fault, int call, T subject, BiConsumer<T, Trial> operation) {
        try (InjectedFault injected = inject(fault, call)) {
            operation.accept(subject, new Trial(fault, call, injected));
            return injected.isHit();
        }
    }

    /** What is not declared is refused by the backend too, should somebody pass the API layer by. */
    static void assertUnsupported(Supplier<CompletableFuture<?>> call) {
        Throwable refusal = catchThrowable(() -> call.get().join());
        assertThat(refusal)
                .as("the refusal of a call that needs a capability which is not declared")
                .isNotNull();
        assertThat(refusal instanceof CompletionException ? refusal.getCause() : refusal)
                .as("the refusal of a call that needs a capability which is not declared")
                .isInstanceOf(UnsupportedOperationException.class);
    }

    /** Carries out a change; whether it was applied, decided by another process if its outcome is unknown. */
    final boolean isApplied(Runnable change) {
        try {
            change.run();
            return true;
        } catch (OutcomeUnknownException e) {
            return isApplied(e.token());
        } catch (NotAppliedException e) {
            return false;
        }
    }

    /** What another process finds out about a token; it asks again while faults are in its way. */
    final boolean isApplied(IdempotencyToken token) {
        for (int attempt = 1; ; attempt++) {
            try {
                return there().resolve(token).applied();
            } catch (OutcomeUnknownException e) {
                if (attempt == 20) {
                    throw e;
                }
            }
        }
    }

    private static <T> T required(@Nullable T opened) {
        if (opened == null) {
            throw new IllegalStateException("the store is opened before each test");
        }
        return opened;
    }
}
