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

/** What a backend is handed with each call, and what it answers with. */
class CallTest {
    private static final CountersListener NOBODY = CountersListener.disabled();

    @Test
    void remainingTimeStartsWithTheTimeoutAndFalls() {
        Call call = new Call(Duration.ofHours(1), NOBODY);

        Duration first = call.remaining();
        Duration second = call.remaining();

        assertThat(first).isLessThanOrEqualTo(Duration.ofHours(1)).isPositive();
        assertThat(second).isLessThanOrEqualTo(first);
    }

    @Test
    void remainingTimeIsNotPositiveWhenItIsOver() {
        assertThat(new Call(Duration.ZERO, NOBODY).remaining()).isLessThanOrEqualTo(Duration.ZERO);
        assertThat(new Call(-5, NOBODY).remaining()).isNegative();
    }

    @Test
    void startingAgainDoesNotProlongIt() {
        Call call = new Call(Duration.ofHours(1), NOBODY);
        call.start();
        Duration first = call.remaining();

        call.start();

        assertThat(call.remaining()).isLessThanOrEqualTo(first);
    }

    @Test
    void tokenOfACommitIsMadeOnceAndOnlyIfItIsAskedFor() {
        RandomGenerator never = () -> {
            throw new AssertionError("nobody asked");
        };
        assertThat(new Commit(Duration.ofHours(1), never, NOBODY).remaining()).isPositive();

        Commit commit = new Commit(Duration.ofHours(1), new Random(1), NOBODY);
        assertThat(commit.token()).isSameAs(commit.token());
    }

    @Test
    void tokenOfACommitHas128RandomBits() {
        Set<String> tokens = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            String token = new Commit(1, new SecureRandom(), NOBODY).token().value();
            assertThat(token).matches("~ck:[A-Za-z0-9_-]{22}");
            tokens.add(token);
        }
        assertThat(tokens).hasSize(1000);
        assertThat(new Commit(1, new Random(5), NOBODY).token())
                .isEqualTo(new Commit(1, new Random(5), NOBODY).token());
    }

    @Test
    void resultIsAValueAFailureOrAgain() {
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

        assertThat(limits).isEqualTo(new BatchLimits(false, 7, 1, false, false));
        assertThat(limits.withInFlight(3)).isEqualTo(new BatchLimits(false, 7, 3, false, false));
        assertThat(limits.withInFlight(3).withOnePerName()).isEqualTo(new BatchLimits(false, 7, 3, true, false));
        assertThat(limits.withOnePerName().withCallerRuns()).isEqualTo(new BatchLimits(false, 7, 1, true, true));
        assertThat(limits.withCallerRuns().withInFlight(2)).isEqualTo(new BatchLimits(false, 7, 2, false, true));
        assertThat(BatchLimits.none().direct()).isTrue();
    }

    @Test
    void batchLimitsAreAtLeastOne() {
        assertThatThrownBy(() -> BatchLimits.ofWeight(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 0 and 1");
        assertThatThrownBy(() -> BatchLimits.ofWeight(1).withInFlight(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 1 and 0");
    }
}
