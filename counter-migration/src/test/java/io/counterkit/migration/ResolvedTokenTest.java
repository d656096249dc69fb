package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * One process resolves a token at the source, as it does after the seal, and dies before the change at the target. Another
 * process, which has not read the seal, repeats the change: the source refuses the token before it reports the seal.
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
}
