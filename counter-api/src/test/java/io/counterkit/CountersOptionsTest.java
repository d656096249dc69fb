package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.fixture.Recorder;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.internal.batch.GeneratedToken;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Durations;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CountersOptionsTest {
    @Test
    void defaultsAreThoseThatAreDocumented() {
        CountersOptions defaults = CountersOptions.defaults();

        assertThat(defaults.deadline()).isEqualTo(Duration.ofSeconds(20));
        assertThat(defaults.drainTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(defaults.queueLimit()).isEqualTo(10_000);
        assertThat(defaults.listener()).isSameAs(CountersListener.disabled());
        assertThat(defaults.random()).isInstanceOf(SecureRandom.class);
    }

    @Test
    void options_keepTheirValues() {
        Recorder listener = new Recorder();
        Random random = new Random(1);

        CountersOptions options = CountersOptions.builder()
                .deadline(Duration.ofMillis(1))
                .drainTimeout(Duration.ofDays(1))
                .queueLimit(1)
                .listener(listener)
                .random(random)
                .build();

        assertThat(options.deadline()).isEqualTo(Duration.ofMillis(1));
        assertThat(options.drainTimeout()).isEqualTo(Duration.ofDays(1));
        assertThat(options.queueLimit()).isEqualTo(1);
        assertThat(options.listener()).isSameAs(listener);
        assertThat(options.random()).isSameAs(random);
    }

    @Test
    void builder_canBeReused() {
        CountersOptions.Builder builder = CountersOptions.builder().queueLimit(5);
        CountersOptions built = builder.build();

        builder.queueLimit(6);

        assertThat(built.queueLimit()).isEqualTo(5);
    }

    @Test
    void times_areLimitedToAMillisecondToADay() {
        CountersOptions.Builder builder = CountersOptions.builder();
        for (Duration allowed : List.of(Duration.ofMillis(1), Duration.ofDays(1))) {
            assertThat(builder.deadline(allowed).drainTimeout(allowed).build().drainTimeout())
                    .isEqualTo(allowed);
        }
        for (Duration refused : List.of(
                Duration.ZERO,
                Duration.ofSeconds(-1),
                Duration.ofNanos(999_999),
                Duration.ofDays(1).plusNanos(1))) {
            assertThatThrownBy(() -> builder.deadline(refused))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("deadline " + Durations.inWords(refused) + ": use 1 ms to 1 day");
            assertThatThrownBy(() -> builder.drainTimeout(refused))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("drainTimeout " + Durations.inWords(refused) + ": use 1 ms to 1 day");
        }
    }

    /** The default retention of a backend is 24 hours. */
    @Test
    void deadline_isAtMostHalfOfTheRetention() {
        ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.none());
        CountersOptions.Builder builder = CountersOptions.builder();

        Counters.over(backend, builder.deadline(Duration.ofHours(12)).build()).close();

        assertThatThrownBy(() -> Counters.over(
                        backend, builder.deadline(Duration.ofHours(24)).build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "deadline 24 h with a backend that remembers tokens for 24 h: use at most 12 h");
    }

    @Test
    void queueLimit_isAtLeastOne() {
        for (int refused : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> CountersOptions.builder().queueLimit(refused))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("queueLimit " + refused + ": use 1 or more");
        }
    }

    @Test
    void listenerAndRandom_areRequired() {
        assertThatThrownBy(() -> CountersOptions.builder().listener(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> CountersOptions.builder().random(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void random_generatesTheTokensOfCommits() {
        assertThat(commitToken(new Random(1))).isEqualTo(commitToken(new Random(1)));
        assertThat(commitToken(new Random(1))).isNotEqualTo(commitToken(new Random(2)));
    }

    private static IdempotencyToken commitToken(Random random) {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(5));
        Counters counters =
                Counters.over(backend, CountersOptions.builder().random(random).build());
        CompletableFuture<Void> add = counters.counter("likes").async().add(1);
        backend.adds().next().fail(new IOException("not connected"));
        return GeneratedToken.parse(Replies.tokenOf(add)).commitToken();
    }
}
