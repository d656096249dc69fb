package io.counterkit.tck.chapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.spi.Capability;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
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
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
public abstract class Chapter extends BackendTests {
    private static final Duration LONGEST_COMMIT = Duration.ofSeconds(20);

    /** How many texts of a long list are tried on a slow store in a brief build. */
    private static final int FEW = 50;

    @RegisterExtension
    protected final TimeBox timeBox = new TimeBox(() -> counter(1));

    @RegisterExtension
    final TimeLimit timeLimit = new TimeLimit(() -> fixture().enterThread());

    private @Nullable TestStore store;
    private @Nullable Counters here;
    private @Nullable Counters there;

    /** The seed of this test. */
    protected final long seed = Long.getLong("counterkit.seed", System.nanoTime());

    /** Generates all random decisions of this test, from the seed. */
    protected final Random random = new Random(seed);

    @BeforeEach
    @Timeout(value = 120, unit = TimeUnit.SECONDS)
    final void openStore() {
        store = new TestStore(createFixture());
        fixture().enterThread();
        CountersOptions options =
                CountersOptions.builder().deadline(fixture().deadline()).build();
        here = connect(options);
        there = connect(options);
    }

    @AfterEach
    final void closeStore() throws Throwable {
        required(store).close();
    }

    protected final BackendFixture fixture() {
        return required(store).fixture();
    }

    /** Returns a process. */
    protected final Counters here() {
        return required(here);
    }

    /** Returns another process on the same store. */
    protected final Counters there() {
        return required(there);
    }

    /** Connects another process. */
    protected final Counters connect(CountersOptions options) {
        return required(store).connect(backend -> open(backend, options));
    }

    /** Creates the API layer. Only the kit's own tests override this method, to return a wrong one. */
    protected Counters open(CounterBackend backend, CountersOptions options) {
        return Counters.over(backend, options);
    }

    /** Connects a process with a short deadline. */
    protected final Counters impatient() {
        return impatient(Duration.ofMillis(300));
    }

    /** Connects a process with this deadline. */
    protected final Counters impatient(Duration deadline) {
        return connect(CountersOptions.builder()
                .deadline(deadline)
                .drainTimeout(deadline)
                .build());
    }

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

    /** Connects another process without the API layer. */
    protected final CounterBackend backend() {
        return required(store).connect(backend -> backend);
    }

    /** Returns a commit with a long deadline, for a change below the API layer. */
    protected final Commit commit() {
        Duration longest = fixture().deadline();
        return commit(longest.compareTo(LONGEST_COMMIT) < 0 ? LONGEST_COMMIT : longest);
    }

    /** Returns a commit with this deadline. */
    protected final Commit commit(Duration deadline) {
        return new Commit(deadline, random, CountersListener.disabled());
    }

    protected final boolean declares(Capability capability) {
        return here().capabilities().contains(capability);
    }

    /** Returns the operations that the store's capabilities allow. */
    protected final <T> List<Operation<T>> possible(List<Operation<T>> operations) {
        return operations.stream()
                .filter(operation -> operation.isPossible(here().capabilities()))
                .toList();
    }

    /** Returns a name that was not used before. */
    protected final String name() {
        return "tck/" + UUID.randomUUID();
    }

    protected final Counter counter() {
        return here().counter(name());
    }

    /** Returns a new counter with this total. */
    protected final Counter counter(long total) {
        Counter counter = counter();
        counter.add(total);
        return counter;
    }

    /** Returns how many names, tokens or entries a test uses: {@code few} on a slow store in a brief build. */
    protected final int size(int many, int few) {
        return timeBox.size(many, few);
    }

    /** Returns all of these, or the first and a random selection for a slow store in a brief build. */
    protected final <T> List<T> some(List<T> all) {
        return timeBox.sample(all, FEW, random);
    }

    protected final Sequence sequence() {
        return here().sequence(name());
    }

    /** Returns the same counter in another process. */
    protected final Counter elsewhere(Counter counter) {
        return there().counter(counter.name());
    }

    /** Returns the same sequence in another process. */
    protected final Sequence elsewhere(Sequence sequence) {
        return there().sequence(sequence.name());
    }

    /** Returns the entry with this number. */
    protected static Entry entry(Sequence sequence, long number) {
        List<Entry> entries = sequence.read(number, number);
        assertThat(entries).as("the result of reading entry %s", number).hasSize(1);
        return entries.get(0);
    }

    /** Repeats an assertion on the store's lists until it passes or their lag is over. */
    protected final void awaitLists(Runnable check) {
        required(store).awaitLists(check);
    }

    protected final InjectedFault inject(StoreFault fault, int call) {
        return fixture().faults().inject(fault, call);
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

    private static <T> T required(@Nullable T opened) {
        return Objects.requireNonNull(opened, "the store is not open outside a test");
    }
}
