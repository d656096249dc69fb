package io.counterkit.migration.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.migration.fixture.FaultyConnection;
import io.counterkit.migration.fixture.FaultyConnection.Fate;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the batch job with copying once for each of its store calls, with a fault at that call. Then another process
 * runs the job to its end, and everything is exact.
 */
@Tag("exhaustive")
class CrashMatrixTest {
    /** The name is taken for moved once it is sealed, as if no process could die between the seal and the import. */
    private static final Mutant TRUSTS_THE_SEAL = Mutant.with("trusts the seal", pair -> new NameMover(pair) {
        @Override
        public CompletableFuture<MoveRecord> move(ChangeTarget.Kind kind, String name, Call call) {
            return pair.sourceState(kind, name, call)
                    .thenCompose(state -> state.seal() == null
                            ? super.move(kind, name, call)
                            : CompletableFuture.completedFuture(new MoveRecord(
                                    new ImportedState(
                                            "old",
                                            state.isPresent(),
                                            state.seal().liveCount(),
                                            state.seal().last()),
                                    0)));
        }
    });

    /** Injects the fault at each call of a job, and returns how many calls there are. */
    private static int matrix(Mutant mutant, Fate fate, String side, boolean isBusy) throws Exception {
        for (int at = 1; ; at++) {
            MatrixTrial trial = new MatrixTrial(mutant, isBusy);
            FaultyConnection connection = trial.connection(fate, side, at);
            try {
                trial.runUntilKilled(connection);
                trial.finish();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "%s at call %d of%n%s%n%s".formatted(fate, at, String.join("\n", connection.calls()), e), e);
            }
            if (!connection.hasHit()) {
                return at - 1;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void killedAfterEachCall_anotherProcessFinishes(boolean isBusy) throws Exception {
        int calls = matrix(Mutant.NONE, Fate.KILLED_AFTER, "", isBusy);

        assertThat(calls).as("calls of a job").isGreaterThan(40);
    }

    @ParameterizedTest
    @CsvSource({"REPLY_LOST, source", "REPLY_LOST, target", "NOT_APPLIED, source", "NOT_APPLIED, target"})
    void faultAtEachCall_isRepaired(Fate fate, String side) throws Exception {
        int calls = matrix(Mutant.NONE, fate, side, true);

        assertThat(calls).as("calls to the %s", side).isGreaterThan(15);
    }

    @Test
    void matrixDetectsAJobThatTakesASealForAMove() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> matrix(TRUSTS_THE_SEAL, Fate.KILLED_AFTER, "", false))
                .withMessageContaining("source.seal");
    }
}
