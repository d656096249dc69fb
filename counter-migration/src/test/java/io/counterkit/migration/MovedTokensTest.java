package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.TokenRefusedException;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.ChangeTarget.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens from before a move. */
class MovedTokensTest extends MigratingSetup {
    @Test
    void tokenFromBeforeTheMoveIsAppliedOnceAndReturnsItsFirstResult() {
        IdempotencyToken added = IdempotencyToken.random();
        IdempotencyToken appended = IdempotencyToken.random();
        old.counter(name).add(5, added);
        Entry first = old.sequence(name).append(Change.ADDED, "a", Map.of("a", 1L), appended);
        counters.counter(name).add(5, added);
        assertThat(counters.sequence(name).append(Change.ADDED, "a", Map.of(), appended))
                .isEqualTo(first);
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.counter(name).add(6, added));
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.sequence(name).append(Map.of(), appended));
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.sequence(name).append(Map.of(), added));
        assertThat(counters.counter(name).get()).isEqualTo(5);
        assertThat(counters.sequence(name).last()).isOne();
    }

    @Test
    void tokensAreResolvedAtTheSourceForItsRetention() {
        IdempotencyToken token = IdempotencyToken.random();
        counters.counter(name).increment();
        elapse(Duration.ofHours(24));
        counters.counter(name).add(1, token);
        assertThat(calls).contains("source.resolve(" + token + ")");
        calls.clear();
        elapse(Duration.ofNanos(1));
        counters.counter(name).add(1, IdempotencyToken.random());
        counters.sequence(name + "/other").next();
        counters.counter(name).add(1, token);
        assertThat(calls).noneMatch(what -> what.startsWith("source.resolve"));
        assertThat(counters.counter(name).get()).isEqualTo(3);
    }

    private void elapse(Duration time) {
        now.set(now.get().plus(time));
        nanos.addAndGet(time.toNanos());
    }

    /** The time of the seal is by the clock of the source, which may differ from this process's clock. */
    @ParameterizedTest
    @ValueSource(longs = {-10_000, -25, 25, 10_000})
    void tokensAreResolvedAtTheSource_whateverTheClockOfTheSeal(long hours) {
        IdempotencyToken token = IdempotencyToken.random();
        Instant wrong = NOON.plus(Duration.ofHours(hours));
        rollout.set(0);
        now.set(hours > 0 ? wrong : NOON);
        old.counter(name).add(5, token);
        now.set(wrong);
        backend.move(Kind.COUNTER, name, call).join();
        now.set(NOON);
        Counters later = Counters.over(connect());
        elapse(Duration.ofHours(24).minusNanos(1));

        counters.counter(name).add(5, token);
        later.counter(name).add(5, token);

        assertThat(counters.counter(name).get()).isEqualTo(5);
    }

    @Test
    void longerRetentionOfTheSource_isUsed() {
        InMemoryStore longer = InMemoryStore.create(InMemoryOptions.builder()
                .clock(now::get)
                .retention(Duration.ofDays(2))
                .build());
        IdempotencyToken token = IdempotencyToken.random();
        Counters.over(InMemoryBackend.over(longer)).counter(name).add(5, token);
        MigratingBackend moving =
                MigratingBackend.create(InMemoryBackend.over(longer), InMemoryBackend.over(target), options());
        assertThat(moving.retention()).isEqualTo(Duration.ofHours(24));
        moving.move(Kind.COUNTER, name, call).join();
        elapse(Duration.ofDays(2));

        Counters.over(moving).counter(name).add(5, token);

        assertThat(Counters.over(moving).counter(name).get()).isEqualTo(5);
    }

    @Test
    void unknownTokenIsResolvedAtBothStores() {
        rollout.set(0);
        IdempotencyToken token = IdempotencyToken.random();
        old.counter(name).add(5);
        assertThat(counters.resolve(token).applied()).isFalse();
        backend.move(Kind.COUNTER, name, call).join();
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.counter(name).add(1, token));
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.counter(name + "/unmoved").add(1, token));
        assertThat(counters.counter(name).get()).isEqualTo(5);
    }
}
