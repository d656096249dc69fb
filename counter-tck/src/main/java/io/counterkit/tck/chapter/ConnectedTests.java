package io.counterkit.tck.chapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Capability;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Connects processes to the store of a test, and checks what they read. */
abstract class ConnectedTests extends BackendTests {
    /** The deadline of a commit, unless the fixture's is longer. */
    static final Duration LONGEST_COMMIT = Duration.ofSeconds(20);

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
        CountersOptions options = options().deadline(fixture().deadline()).build();
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

    /** Returns the threads of this test, which end with it. */
    protected final ConcurrentTasks tasks() {
        return required(store).tasks();
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
    protected final Counters connect() {
        return connect(options().build());
    }

    /** Connects another process. */
    protected final Counters connect(CountersOptions options) {
        return required(store).connect(backend -> open(backend, options));
    }

    /** Returns the options of a process whose watches and followers may use the store. */
    protected final CountersOptions.Builder options() {
        return CountersOptions.builder().backgroundThreads(new StoreThreads(fixture()));
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
        return connect(options().deadline(deadline).drainTimeout(deadline).build());
    }

    /** Connects another process without the API layer. */
    protected final CounterBackend backend() {
        return required(store).connect(backend -> backend);
    }

    /** Returns a commit with a long deadline, for a change below the API layer. */
    protected final Commit commit() {
        return commit(longest());
    }

    /** Returns a deadline that every call to the store meets. */
    protected final Duration longest() {
        Duration longest = fixture().deadline();
        return longest.compareTo(LONGEST_COMMIT) < 0 ? LONGEST_COMMIT : longest;
    }

    /** Returns a commit with this deadline. */
    protected final Commit commit(Duration deadline) {
        return new Commit(deadline, random, CountersListener.disabled());
    }

    protected final boolean declares(Capability capability) {
        return here().capabilities().contains(capability);
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

    /** Makes all calls, and then waits for them. */
    protected static void awaitAll(Stream<? extends CompletableFuture<?>> calls) {
        calls.toList().forEach(CompletableFuture::join);
    }

    /** Repeats an assertion on the store's lists until it passes or their lag is over. */
    protected final void awaitLists(Runnable check) {
        required(store).awaitLists(check);
    }

    protected static void assertTotal(Counter counter, long total) {
        assertThat(counter.get()).as("the total").isEqualTo(total);
    }

    protected final void assertTotalElsewhere(Counter counter, long total) {
        assertTotalElsewhere(counter.name(), total);
    }

    /** Checks the total that another process reads. */
    protected final void assertTotalElsewhere(String counter, long total) {
        assertThat(there().counter(counter).get())
                .as("the total in another process")
                .isEqualTo(total);
    }

    protected static void assertTail(Sequence sequence, Tail tail) {
        assertThat(sequence.tail()).as("the tail").isEqualTo(tail);
    }

    protected final void assertTailElsewhere(Sequence sequence, Tail tail) {
        assertTailElsewhere(sequence.name(), tail);
    }

    /** Checks the tail that another process reads. */
    protected final void assertTailElsewhere(String sequence, Tail tail) {
        assertThat(there().sequence(sequence).tail())
                .as("the tail in another process")
                .isEqualTo(tail);
    }

    protected static void assertLast(Sequence sequence, long last) {
        assertThat(sequence.last()).as("the last number").isEqualTo(last);
    }

    protected final void assertLastElsewhere(Sequence sequence, long last) {
        assertLastElsewhere(sequence.name(), last);
    }

    /** Checks the last number that another process reads. */
    protected final void assertLastElsewhere(String sequence, long last) {
        assertThat(there().sequence(sequence).last())
                .as("the last number in another process")
                .isEqualTo(last);
    }

    /** Appends an entry and checks its number. */
    protected static void appendNumber(Sequence sequence, long number) {
        assertThat(sequence.next()).as("the number of the next entry").isEqualTo(number);
    }

    /** Appends an entry in another process and checks its number. */
    protected final void appendNumberElsewhere(Sequence sequence, long number) {
        assertThat(elsewhere(sequence).next())
                .as("the number of the next entry in another process")
                .isEqualTo(number);
    }

    /** Resolves a token in another process and checks its resolution. */
    protected final void assertResolved(IdempotencyToken token, Resolution resolution) {
        assertThat(there().resolve(token))
                .as("the resolution of the token in another process")
                .isEqualTo(resolution);
    }

    private static <T> T required(@Nullable T opened) {
        return Objects.requireNonNull(opened, "the store is not open outside a test");
    }
}
