package io.counterkit.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a backend is handed with each call, and what it answers with. */
class CallTest {
    private static final CountersListener NO_LISTENER = CountersListener.disabled();

    @Test
    void remainingTimeStartsWithTheTimeoutAndFalls() {
        Call call = new Call(Duration.ofHours(1), NO_LISTENER);

        Duration first = call.remaining();
        Duration second = call.remaining();

        assertThat(first).isLessThanOrEqualTo(Duration.ofHours(1)).isPositive();
        assertThat(second).isLessThanOrEqualTo(first);
    }

    @Test
    void remainingTime_isNotPositiveAfterTheDeadline() {
        assertThat(new Call(Duration.ZERO, NO_LISTENER).remaining()).isLessThanOrEqualTo(Duration.ZERO);
        assertThat(new Call(Duration.ofNanos(-5), NO_LISTENER).remaining()).isNegative();
    }

    @ParameterizedTest
    @CsvSource({"60000, 50", "500, 50", "200, 20", "0, 0"})
    void noRetryStartsInTheLastPartOfACall(long timeout, long last) {
        Call call = new Call(Duration.ofMillis(timeout), NO_LISTENER);

        Duration before = call.remaining().minusMillis(last);
        Duration left = call.remainingForRetry();
        Duration after = call.remaining().minusMillis(last);

        assertThat(left).isBetween(after, before);
    }

    @Test
    void startingAgain_doesNotProlongTheTime() {
        Call call = new Call(Duration.ofHours(1), NO_LISTENER);
        call.start();
        Duration first = call.remaining();

        call.start();

        assertThat(call.remaining()).isLessThanOrEqualTo(first);
    }

    @Test
    void token_isGeneratedOnceAndOnlyOnDemand() {
        RandomGenerator never = () -> {
            throw new AssertionError("no token is needed");
        };
        assertThat(new Commit(Duration.ofHours(1), never, NO_LISTENER).remaining())
                .isPositive();

        Commit commit = new Commit(Duration.ofHours(1), new Random(1), NO_LISTENER);
        assertThat(commit.token()).isSameAs(commit.token());
    }

    @Test
    void token_has128RandomBits() {
        Set<String> tokens = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            String token = new Commit(Duration.ofNanos(1), new SecureRandom(), NO_LISTENER)
                    .token()
                    .value();
            assertThat(token).matches("~ck:[A-Za-z0-9_-]{22}");
            tokens.add(token);
        }
        assertThat(tokens).hasSize(1000);
        assertThat(new Commit(Duration.ofNanos(1), new Random(5), NO_LISTENER).token())
                .isEqualTo(new Commit(Duration.ofNanos(1), new Random(5), NO_LISTENER).token());
    }

    @Test
    void result_isAValueAFailureOrARetry() {
        NotAppliedException no = new NotAppliedException("no");

        assertThat(Result.of("x").orThrow()).isEqualTo("x");
        assertThat(Result.of("x").isApplied()).isTrue();
        assertThat(Result.applied().isApplied()).isTrue();
        assertThat(Result.retry().isApplied()).isFalse();
        assertThat(Result.retry().isRetry()).isTrue();
        assertThat(Result.failed(no).isApplied()).isFalse();
        assertThat(Result.failed(no).isRetry()).isFalse();
        assertThatThrownBy(() -> Result.failed(no).orThrow()).isSameAs(no);
        assertThatThrownBy(() -> Result.retry().orThrow()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void batchLimitsChangeOneThingAtATime() {
        BatchLimits limits = BatchLimits.ofWeight(7);

        assertThat(limits).isEqualTo(new BatchLimits(false, 7, 1, false, false, false));
        assertThat(limits.withDisjointInFlight(3)).isEqualTo(new BatchLimits(false, 7, 3, false, true, false));
        assertThat(limits.withInFlight(3)).isEqualTo(new BatchLimits(false, 7, 3, false, false, false));
        assertThat(limits.withInFlight(3).withOnePerName()).isEqualTo(new BatchLimits(false, 7, 3, true, false, false));
        assertThat(limits.withOnePerName().withCallerRuns()).isEqualTo(new BatchLimits(false, 7, 1, true, false, true));
        assertThat(limits.withCallerRuns().withInFlight(2)).isEqualTo(new BatchLimits(false, 7, 2, false, false, true));
        assertThat(BatchLimits.none().direct()).isTrue();
    }

    @Test
    void batchLimitsAreAtLeastOne() {
        assertThatThrownBy(() -> BatchLimits.ofWeight(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("weight of 0");
        assertThatThrownBy(() -> BatchLimits.ofWeight(1).withInFlight(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 batches in flight");
    }
}
