package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.ContentionException;
import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.Operation;
import io.counterkit.fixture.Operation.Kind;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.BatchLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the outcome of each failure of the backend, for every operation in both forms, combined and not. */
public class OutcomesTest {
    public static final List<BatchLimits> LIMITS = List.of(
            BatchLimits.none(),
            BatchLimits.ofWeight(5),
            BatchLimits.ofWeight(5).withOnePerName(),
            BatchLimits.ofWeight(5).withCallerRuns());

    static Stream<Operation> operations() {
        return Operation.all();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void success_isReported(Operation operation) {
        for (BatchLimits limits : LIMITS) {
            Counters counters = Counters.over(ScriptedBackend.obedient(limits));
            operation.blocking().accept(counters);
            assertThat(operation.async().apply(counters)).isCompleted();
        }
    }

    @ParameterizedTest
    @MethodSource("operations")
    void exceptionOfTheBackend_leavesChangesUnknown(Operation operation) {
        check(operation, () -> {
            throw new IllegalStateException("not connected");
        });
    }

    @ParameterizedTest
    @MethodSource("operations")
    void failedFuture_leavesChangesUnknown(Operation operation) {
        check(operation, () -> CompletableFuture.failedFuture(new IOException("not connected")));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void argumentErrorOfTheBackend_leavesChangesUnknown(Operation operation) {
        check(operation, () -> CompletableFuture.failedFuture(new IllegalArgumentException("not to my liking")));
        check(operation, () -> CompletableFuture.failedFuture(new UnsupportedOperationException("cannot")));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void errorOfTheBackend_leavesChangesUnknown(Operation operation) {
        check(operation, () -> {
            throw new NoClassDefFoundError("client of the store");
        });
    }

    @ParameterizedTest
    @MethodSource("operations")
    void nullFuture_leavesChangesUnknown(Operation operation) {
        check(operation, () -> null);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void unknownOutcomeOfTheBackend_getsTheCallersToken(Operation operation) {
        IdempotencyToken another = IdempotencyToken.of("another one's");
        check(
                operation,
                () -> CompletableFuture.failedFuture(new OutcomeUnknownException("not connected", another, null)));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void failuresWithAKnownOutcome_passThrough(Operation operation) {
        for (RuntimeException known : List.of(
                new NotAppliedException("no"),
                new ContentionException("crowded"),
                new CorruptDataException("scrambled"),
                new SealedException("likes", new Seal("new", 1, 1)))) {
            for (Throwable failure : failures(operation, () -> CompletableFuture.failedFuture(known))) {
                if (operation.name().equals("resolve token")) {
                    assertThat(failure)
                            .isInstanceOf(OutcomeUnknownException.class)
                            .hasCause(known);
                } else {
                    assertThat(failure).isSameAs(known);
                }
            }
        }
    }

    @Test
    void deadline_endsEveryOperation() {
        CountersOptions options =
                CountersOptions.builder().deadline(Duration.ofSeconds(3)).build(); // all are sent before it passes
        Map<Operation, CompletableFuture<?>> async = new LinkedHashMap<>();
        Map<Operation, Caller<?>> blocking = new LinkedHashMap<>();
        Operation.all().forEach(operation -> {
            async.put(operation, operation.async().apply(silent(options)));
            Counters counters = silent(options);
            blocking.put(operation, Caller.running(() -> operation.blocking().accept(counters)));
        });

        async.forEach((operation, reply) -> checkOpen(operation, Replies.failureOf(reply)));
        blocking.forEach((operation, caller) -> checkOpen(operation, caller.failure()));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void interrupt_endsEveryBlockingOperation(Operation operation) {
        Counters counters = silent(CountersOptions.defaults());
        Caller<?> caller =
                Caller.running(() -> operation.blocking().accept(counters)).parked();

        caller.interrupt();

        checkOpen(operation, caller.failure());
        assertThat(caller.failure()).hasRootCauseInstanceOf(InterruptedException.class);
        assertThat(caller.interruptedAtEnd()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void tokenOfAnUnknownChange_isThatOfItsCommit(Operation operation) {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(5));
        backend.answerAll(() -> CompletableFuture.failedFuture(new IOException("not connected")));

        Throwable failure = Replies.failureOf(operation.async().apply(Counters.over(backend)));

        if (operation.kind() == Kind.CHANGE) {
            GeneratedToken generated = Objects.requireNonNull(GeneratedToken.parse(Replies.tokenOf(failure)));
            assertThat(generated.commitToken()).isEqualTo(backend.lastCommit().token());
            assertThat(generated.name()).isIn("likes", "invoices");
        }
    }

    /** Checks that with this answer of the store, changes are unknown and reads fail. */
    private static void check(Operation operation, Supplier<CompletableFuture<?>> store) {
        assertThat(failures(operation, store)).allSatisfy(failure -> checkOpen(operation, failure));
    }

    private static List<Throwable> failures(Operation operation, Supplier<CompletableFuture<?>> store) {
        List<Throwable> failures = new ArrayList<>();
        for (BatchLimits limits : LIMITS) {
            ScriptedBackend backend = ScriptedBackend.of(limits);
            backend.answerAll(store);
            Counters counters = Counters.over(backend);
            failures.add(catchThrowable(() -> operation.blocking().accept(counters)));
            failures.add(Replies.failureOf(operation.async().apply(counters)));
        }
        return failures;
    }

    private static void checkOpen(Operation operation, Throwable failure) {
        if (operation.kind() == Kind.READ) {
            assertThat(failure).isExactlyInstanceOf(NotAppliedException.class);
            return;
        }
        IdempotencyToken token = Replies.tokenOf(failure);
        if (operation.kind() == Kind.CHANGE) {
            assertThat(GeneratedToken.parse(token)).isNotNull();
        } else {
            assertThat(token).isEqualTo(Operation.TOKEN);
        }
        assertThat(failure).hasMessageContaining(token.value());
    }

    /** Returns counters over a backend that never answers. */
    private static Counters silent(CountersOptions options) {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(5));
        backend.answerAll(CompletableFuture::new);
        return Counters.over(backend, options);
    }
}
