package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.ContentionException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.RampUpLimiter;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.migration.fixture.TwoStores;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The exceptions of each operation of a migration while one of the stores is unreachable. */
@Execution(ExecutionMode.CONCURRENT) // most tests wait for a deadline
class UnreachableStoreTest {
    private final TwoStores stores = new TwoStores();
    private final String counter = stores.addCounters(2).get(1);
    private final String sequence = stores.addSequence(3);

    /** The unreachable store. */
    enum Side {
        SOURCE("source."),
        TARGET("target.");

        private final String calls;

        Side(String calls) {
            this.calls = calls;
        }
    }

    /** How a backend fails. */
    enum FailureMode {
        TIMEOUT {
            @Override
            <T> CompletableFuture<T> answer() {
                return CompletableFuture.failedFuture(new TimeoutException());
            }
        },
        CHECKED {
            @Override
            <T> CompletableFuture<T> answer() {
                return CompletableFuture.failedFuture(new CompletionException(new IOException()));
            }
        },
        UNCHECKED {
            @Override
            <T> CompletableFuture<T> answer() {
                return CompletableFuture.failedFuture(new IllegalStateException());
            }
        },
        THROWN {
            @Override
            <T> CompletableFuture<T> answer() {
                throw new IllegalStateException();
            }
        };

        abstract <T> CompletableFuture<T> answer();
    }

    private MigratingBackend connect(Side unreachable, FailureMode mode) {
        Connection connection = new Connection() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
                return what.startsWith(unreachable.calls) ? mode.answer() : store.get();
            }
        };
        return MigratingBackend.create(
                new ConnectedBackend("source", InMemoryBackend.over(stores.source), connection),
                new ConnectedBackend("target", InMemoryBackend.over(stores.target), connection),
                MigrationOptions.builder("old", "new").rollout(stores.rollout).build());
    }

    private static Call call() {
        return new Call(Duration.ofSeconds(20), CountersListener.disabled());
    }

    @ParameterizedTest
    @EnumSource
    void job_reportsWhatCouldNotBeRead(FailureMode mode) {
        for (Side side : Side.values()) {
            MigrationJobOptions options = MigrationJobOptions.builder()
                    .ramp(RampUpLimiter.unlimited())
                    .build();
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() ->
                            MigrationJob.over(connect(side, mode), options).run())
                    .satisfies(UnreachableStoreTest::hasAReason)
                    .withMessageMatching(
                            side == Side.SOURCE ? "listing the counters of the source: .+" : "reading .+: .+");
        }
    }

    @ParameterizedTest
    @EnumSource
    void verifier_reportsWhatCouldNotBeRead(FailureMode mode) {
        for (Side side : Side.values()) {
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> MigrationVerifier.over(connect(side, mode), VerificationOptions.defaults())
                            .run())
                    .satisfies(UnreachableStoreTest::hasAReason)
                    .withMessageMatching(".+ the counters of the source: .+");
        }
    }

    @ParameterizedTest
    @EnumSource
    void moveAndStatuses_reportWhatFailed(FailureMode mode) {
        for (Side side : Side.values()) {
            MigratingBackend backend = connect(side, mode);
            for (Kind kind : Kind.values()) {
                String name = kind == Kind.COUNTER ? counter : sequence;
                assertNotApplied(() -> backend.move(kind, name, call()), "move of '" + name + "': ");
                assertNotApplied(() -> backend.statuses(kind, List.of(name), call()), "reading the progress ");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void changes_reportThatTheNameCouldNotMove(FailureMode mode) {
        for (Side side : Side.values()) {
            Counters counters = Counters.over(connect(side, mode));
            Map<Runnable, String> changes = Map.of(
                    () -> counters.counter(counter).add(1),
                    counter,
                    () -> counters.counter(counter).reset(),
                    counter,
                    () -> counters.counter(counter).delete(),
                    counter,
                    () -> counters.sequence(sequence).append(Map.of()),
                    sequence);
            changes.forEach((change, name) -> assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(change::run)
                    .satisfies(UnreachableStoreTest::hasAReason)
                    .withMessageStartingWith("moving '" + name + "' before its change: "));
        }
    }

    @Test
    void afterTheOutage_everythingMoves() throws InterruptedException {
        MigratingBackend cut = connect(Side.TARGET, FailureMode.TIMEOUT);
        assertNotApplied(() -> cut.move(Kind.COUNTER, counter, call()), "move of ");

        MigrationReport report = MigrationJob.over(
                        stores.connect(),
                        MigrationJobOptions.builder()
                                .ramp(RampUpLimiter.unlimited())
                                .build())
                .run();

        assertThat(report.isClean()).isTrue();
        assertThat(stores.atTarget().counter(counter).get()).isEqualTo(1);
    }

    /** A store that answers late leaves no time for the read that follows. */
    @Test
    void sealThatFails_andLeavesNoTime_isTheReasonThatIsReported() {
        AtomicBoolean isOver = new AtomicBoolean();
        MigratingBackend late = stores.connect(new Connection() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
                if (what.startsWith("source.seal")) {
                    isOver.set(true);
                    return CompletableFuture.failedFuture(new ContentionException("another process has locked it"));
                }
                return isOver.get() ? FailureMode.TIMEOUT.answer() : store.get();
            }
        });
        for (Kind kind : Kind.values()) {
            isOver.set(false);
            String name = kind == Kind.COUNTER ? counter : sequence;
            assertNotApplied(
                    () -> late.move(kind, name, call()),
                    "move of '" + name + "': sealing it at the source failed: another process has locked it");
        }
    }

    /** The token was resolved before, at the source; the entry that it stands for has been copied. */
    @Test
    void firstResultThatCannotBeRead_isNotBlamedOnTheSource() {
        IdempotencyToken token = IdempotencyToken.random();
        stores.old().sequence(sequence).append(Map.of(), token);
        Call call = call();
        stores.connect().move(Kind.SEQUENCE, sequence, call).join();

        Counters process = Counters.over(stores.connect(new Connection() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call passed, Supplier<CompletableFuture<T>> store) {
                return what.startsWith("target.entries") ? FailureMode.TIMEOUT.answer() : store.get();
            }
        }));

        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> process.sequence(sequence).append(Map.of(), token))
                .satisfies(UnreachableStoreTest::hasAReason)
                .withMessageStartingWith("reading the change with token " + token + ": ");
    }

    private static void assertNotApplied(Supplier<CompletableFuture<?>> operation, String start) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> operation.get().join())
                .havingCause()
                .isInstanceOf(NotAppliedException.class)
                .satisfies(UnreachableStoreTest::hasAReason)
                .withMessageStartingWith(start);
    }

    private static void hasAReason(Throwable failure) {
        assertThat(failure.getMessage())
                .doesNotContain("null")
                .doesNotContain("java.")
                .doesNotEndWith(": ");
    }
}
