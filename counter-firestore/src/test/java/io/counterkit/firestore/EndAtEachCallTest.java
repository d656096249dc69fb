package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Change;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.SealedException;
import io.counterkit.firestore.fixture.EndingCalls;
import io.counterkit.firestore.fixture.EndingCalls.Moment;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Futures;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Result;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that each operation ends with a true outcome if the backend, or Google's client, is closed at any moment of any
 * of its calls.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@Tag("exhaustive")
class EndAtEachCallTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Counters others = Counters.over(fixture.connect());

    /** Closes clients, which may still have to roll back a transaction that blocks others. */
    private final List<Runnable> atEnd = new ArrayList<>();

    @AfterEach
    void close() {
        atEnd.forEach(Runnable::run);
        others.close();
        fixture.close();
    }

    /** An operation of a backend on a counter or a sequence. */
    private interface Operation {
        CompletableFuture<?> start(FirestoreCounterBackend backend, String name);
    }

    /** Returns how often an operation was applied, as another process sees it. */
    private interface Applied {
        long count(Counters others, String name);
    }

    /**
     * One kind of operation.
     *
     * @param before prepares the counter or the sequence
     * @param applied null for a read
     * @param isOwn whether only this backend has the operation, so that it states its own outcome
     */
    private record Kinds(
            String what,
            Operation before,
            Operation operation,
            @Nullable Applied applied,
            boolean isOwn) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static final Operation NOTHING = (backend, name) -> CompletableFuture.completedFuture(null);
    private static final Operation TWO_ENTRIES =
            (backend, name) -> append(backend, name, null).thenCompose(first -> append(backend, name, null));
    private static final Operation FIVE = (backend, name) -> add(backend, name, 5, null);

    /** What is closed during an operation. */
    private enum Closed {
        BACKEND,
        /** The client too, immediately after the backend, as at the end of a program. */
        BACKEND_AND_CLIENT,
        CLIENT
    }

    /**
     * The operations whose transactions keep their locks for a minute if the client is closed before the backend, so
     * that nothing can end them.
     */
    private static final Set<String> LOCKING = Set.of("reset", "deletion", "seal of a counter");

    static Stream<Arguments> operations() {
        Applied total = (others, name) -> others.counter(name).get();
        Applied last = (others, name) -> others.sequence(name).last();
        return Stream.of(
                        change("add", NOTHING, (backend, name) -> add(backend, name, 1, null), total),
                        change(
                                "add with a token",
                                (backend, name) -> add(backend, name, 0, null),
                                (backend, name) -> add(backend, name, 1, IdempotencyToken.random()),
                                total),
                        change("append", NOTHING, (backend, name) -> append(backend, name, null), last),
                        change(
                                "append after an append",
                                TWO_ENTRIES,
                                (backend, name) -> append(backend, name, IdempotencyToken.random()),
                                (others, name) -> others.sequence(name).last() - 2),
                        change(
                                "reset",
                                FIVE,
                                (backend, name) -> backend.counters().reset(name, commit()),
                                isZero()),
                        change(
                                "deletion",
                                FIVE,
                                (backend, name) -> backend.counters().delete(name, commit()),
                                isZero()),
                        change(
                                "seal of a counter",
                                FIVE,
                                (backend, name) -> backend.counters().seal(name, "elsewhere", commit()),
                                (others, name) ->
                                        isSealed(() -> others.counter(name).add(1))),
                        change(
                                "seal of a sequence",
                                TWO_ENTRIES,
                                (backend, name) -> backend.sequences().seal(name, "elsewhere", commit()),
                                (others, name) ->
                                        isSealed(() -> others.sequence(name).next())),
                        change(
                                "erasure",
                                TWO_ENTRIES,
                                (backend, name) -> backend.sequences().erase(name, 2, commit()),
                                (others, name) ->
                                        others.sequence(name).read(2, 2).get(0).erased() ? 1 : 0),
                        change(
                                "import of a counter",
                                NOTHING,
                                (backend, name) -> importTo(backend, Kind.COUNTER, name),
                                (others, name) -> others.counter(name).get() / 7),
                        change(
                                "import of a sequence",
                                NOTHING,
                                (backend, name) -> importTo(backend, Kind.SEQUENCE, name),
                                (others, name) -> others.sequence(name).last() / 3),
                        change(
                                "copy",
                                (backend, name) -> importTo(backend, Kind.SEQUENCE, name),
                                (backend, name) -> backend.migration().copy(name, List.of(entry(1), entry(2)), call()),
                                (others, name) ->
                                        others.sequence(name).read(1, 3).size() / 2),
                        own(
                                "creation",
                                NOTHING,
                                (backend, name) -> backend.create(name, 3),
                                (others, name) ->
                                        others.counterNames(name).names().size()),
                        own("resharding", FIVE, (backend, name) -> backend.reshard(name, 2), null),
                        own(
                                "transaction",
                                NOTHING,
                                (backend, name) -> backend.transact(IdempotencyToken.of(name), transaction -> {
                                    transaction.add(name, 1);
                                    transaction.append(name, Map.of());
                                }),
                                last),
                        own("roll-up", FIVE, (backend, name) -> backend.rollUp(name), null),
                        own("description", FIVE, (backend, name) -> backend.describe(name), null),
                        own("check of the deployment", FIVE, (backend, name) -> backend.checkDeployment(), null),
                        read("read", (backend, name) -> backend.counters().read(List.of(name), Duration.ZERO, call())),
                        read(
                                "late read",
                                (backend, name) ->
                                        backend.counters().read(List.of(name), Duration.ofSeconds(5), call())),
                        read(
                                "largest counters",
                                (backend, name) -> backend.counters().top(name, 3, call())),
                        read("names", (backend, name) -> backend.counters().names(name, null, 3, call())),
                        read("tail", (backend, name) -> backend.sequences().tail(name, call())),
                        read(
                                "entries",
                                (backend, name) -> backend.sequences().read(name, new NumberRange(1, 3), call())),
                        read(
                                "states",
                                (backend, name) -> backend.migration().states(Kind.SEQUENCE, List.of(name), call())),
                        read("resolution", (backend, name) -> backend.resolve(IdempotencyToken.of(name), null, call())))
                .flatMap(kind -> Stream.of(Closed.values())
                        .filter(closed -> closed != Closed.CLIENT || !LOCKING.contains(kind.what))
                        .map(closed -> Arguments.of(kind, closed)));
    }

    private static Kinds change(String what, Operation before, Operation operation, Applied applied) {
        return new Kinds(what, before, operation, applied, false);
    }

    private static Kinds own(String what, Operation before, Operation operation, @Nullable Applied applied) {
        return new Kinds(what, before, operation, applied, true);
    }

    private static Kinds read(String what, Operation operation) {
        return new Kinds(
                what,
                (backend, name) -> TWO_ENTRIES.start(backend, name).thenCompose(done -> FIVE.start(backend, name)),
                operation,
                null,
                false);
    }

    @ParameterizedTest(name = "{0}, closing {1}")
    @MethodSource("operations")
    void closedAtEachMoment_hasATrueOutcome(Kinds kind, Closed closed) throws Exception {
        for (Moment moment : Moment.values()) {
            boolean isHit = true;
            for (int call = 1; isHit; call++) {
                isHit = isTrueAt(kind, closed, moment, call);
            }
        }
    }

    /** Returns whether the operation makes so many calls. */
    private boolean isTrueAt(Kinds kind, Closed closed, Moment moment, int call) throws Exception {
        String name = TestStore.name();
        EndingCalls calls = new EndingCalls();
        Firestore client = ClientRetries.NONE.connect(FirestoreFixture.emulator(), fixture.project(), calls);
        FirestoreCounterBackend backend = FirestoreCounterBackend.create(
                client, FirestoreCounterOptions.builder().deadline(DEADLINE).build());
        String when = kind + ", closed " + moment + " call " + call;
        AtomicBoolean isShutDown = new AtomicBoolean();
        Runnable shutDown = () -> {
            if (!isShutDown.getAndSet(true)) { // it fails the second time
                client.shutdownNow();
            }
        };
        atEnd.add(shutDown);
        try {
            kind.before.start(backend, name).get(60, TimeUnit.SECONDS);
            Thread closing = new Thread(() -> {
                backend.close();
                shutDown.run();
            });
            calls.arm(
                    call,
                    moment,
                    switch (closed) {
                        case BACKEND -> backend::close;
                        case BACKEND_AND_CLIENT -> () -> startAndAwaitPause(closing);
                        case CLIENT -> shutDown;
                    });
            Throwable failure = kind.operation
                    .start(backend, name)
                    .<@Nullable Throwable>handle((value, failed) -> failed == null ? failureIn(value) : failed)
                    .get(60, TimeUnit.SECONDS);
            closing.join();
            boolean isHit = calls.isHit();
            if (!isHit) {
                assertThat(failure).as(when).isNull();
            }
            Throwable cause = failure == null ? null : Futures.unwrap(failure);
            if (kind.isOwn && cause != null && !(cause instanceof CounterException)) {
                fail(when + ": the outcome is not stated", cause);
            }
            if (kind.applied != null) {
                long applied = kind.applied.count(others, name);
                assertThat(applied).as(when).isBetween(0L, 1L);
                if (cause == null) {
                    assertThat(applied).as(when).isOne();
                } else if (cause instanceof NotAppliedException) {
                    assertThat(applied).as(when + ": " + cause).isZero();
                }
            }
            return isHit;
        } finally {
            backend.close();
        }
    }

    /** The call that is interrupted continues while close waits for it. */
    private static void startAndAwaitPause(Thread thread) {
        thread.start();
        Set<Thread.State> paused = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);
        await().until(() -> paused.contains(thread.getState()));
    }

    private static @Nullable Throwable failureIn(@Nullable Object value) {
        return value instanceof List<?> list && list.size() == 1 && list.get(0) instanceof Result<?> result
                ? result.failure()
                : null;
    }

    private static CompletableFuture<?> add(
            FirestoreCounterBackend backend, String name, long delta, @Nullable IdempotencyToken token) {
        return backend.counters().add(List.of(new AddRequest(name, delta, token)), commit());
    }

    private static CompletableFuture<?> append(
            FirestoreCounterBackend backend, String name, @Nullable IdempotencyToken token) {
        return backend.sequences()
                .append(name, List.of(new AppendRequest(Change.ADDED, null, Map.of("a", 1L), token)), commit());
    }

    private static CompletableFuture<?> importTo(FirestoreCounterBackend backend, Kind kind, String name) {
        ImportedState state = new ImportedState("elsewhere", true, 7, kind == Kind.COUNTER ? 0 : 3);
        return backend.migration().importBase(kind, name, state, call());
    }

    private static Entry entry(long number) {
        return new Entry(number, Instant.EPOCH, Change.ADDED, null, Map.of(), number, false);
    }

    private static Applied isZero() {
        return (others, name) -> others.counter(name).get() == 0 ? 1 : 0;
    }

    private static long isSealed(Runnable change) {
        try {
            change.run();
            return 0;
        } catch (SealedException e) {
            return 1;
        }
    }

    private static Commit commit() {
        return new Commit(DEADLINE, new SecureRandom(), CountersListener.disabled());
    }

    private static Call call() {
        return new Call(DEADLINE, CountersListener.disabled());
    }
}
