package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.TokenRefusedException;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.migration.fixture.TwoStores;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One process resolves a token at the source, as it does after the seal, and dies before the change at the target.
 * Another process, which has not read the seal, repeats the change: the source refuses the token before it reports the
 * seal.
 */
class ResolvedTokenTest {
    private final TwoStores stores = new TwoStores();
    private final String counter = stores.addCounters(2).get(1);
    private final String sequence = stores.addSequence(3);
    private final IdempotencyToken token = IdempotencyToken.random();

    private void moveAndResolve() {
        stores.rollout.set(0);
        MigratingBackend first = stores.connect();
        Call call = new Call(Duration.ofMinutes(1), CountersListener.disabled());
        first.move(Kind.COUNTER, counter, call).join();
        first.move(Kind.SEQUENCE, sequence, call).join();
        assertThat(first.source().resolve(token, null, call).join().applied()).isFalse();
    }

    @Test
    void addIsAppliedAtTheTarget_once() {
        moveAndResolve();

        Counters second = stores.counters();
        second.counter(counter).add(5, token);
        second.counter(counter).add(5, token);

        assertThat(stores.atTarget().counter(counter).get()).isEqualTo(6);
    }

    @Test
    void appendIsAppliedAtTheTarget_once() {
        moveAndResolve();

        Counters second = stores.counters();
        assertThat(second.sequence(sequence).append(Map.of(), token).number()).isEqualTo(4);
        assertThat(second.sequence(sequence).append(Map.of(), token).number()).isEqualTo(4);

        assertThat(stores.atTarget().sequence(sequence).last()).isEqualTo(4);
    }

    @Test
    void tokenOfAnotherChange_isStillRefused() {
        stores.old().counter(counter).add(7, token);
        stores.rollout.set(0);
        Call call = new Call(Duration.ofMinutes(1), CountersListener.disabled());
        stores.connect().move(Kind.COUNTER, counter, call).join();

        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> stores.counters().counter(counter).add(5, token));
        assertThat(stores.counters().counter(counter).get()).isEqualTo(8);
    }

    /** A call that is lost on its way to a store, or whose reply is lost. */
    private static Connection losing(int resolution, boolean replyOnly) {
        AtomicInteger resolutions = new AtomicInteger();
        return new Connection() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
                if (!what.contains(".resolve(") || resolutions.incrementAndGet() != resolution) {
                    return store.get();
                }
                CompletableFuture<T> lost = CompletableFuture.failedFuture(
                        new OutcomeUnknownException("lost", IdempotencyToken.random(), null));
                return replyOnly ? store.get().thenCompose(reply -> lost) : lost;
            }
        };
    }

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "2, false", "2, true"})
    void tokenThatTheSourceRefuses_isRefusedAfterTheMove_alsoIfAResolutionWasInterrupted(
            int resolution, boolean replyOnly) {
        stores.rollout.set(0);
        MigratingBackend interrupted = stores.connect(losing(resolution, replyOnly));
        Call call = new Call(Duration.ofMinutes(1), CountersListener.disabled());
        assertThat(interrupted.resolve(token, null, call)).failsWithin(Duration.ofMinutes(1));

        boolean isRefused = isRefused(token);
        stores.connect().move(Kind.COUNTER, counter, call).join();

        assertThat(isRefused(token)).isEqualTo(isRefused);
        assertThat(stores.atTarget().counter(counter).get()).isEqualTo(isRefused ? 1 : 6);
    }

    private boolean isRefused(IdempotencyToken token) {
        try {
            stores.counters().counter(counter).add(5, token);
            return false;
        } catch (TokenRefusedException e) {
            return true;
        }
    }
}
