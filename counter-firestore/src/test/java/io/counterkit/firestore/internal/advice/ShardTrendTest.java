package io.counterkit.firestore.internal.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.firestore.CounterActivity;
import io.counterkit.firestore.FirestoreCounterOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the shard count that follows from what a process observes, at times that the test sets. */
class ShardTrendTest {
    private static final long MINUTE = ShardTrend.RAISE_NANOS;
    private static final long HOUR = ShardTrend.LOWER_NANOS;

    /** Overflows during the tests, which must not matter. */
    private long now = Long.MAX_VALUE - MINUTE / 2;

    private long commits;
    private long conflicts;
    private long waitMillis;
    private ShardTrend trend = trend(2, 50, 10);

    private ShardTrend trend(int min, int max, int shards) {
        FirestoreCounterOptions options =
                FirestoreCounterOptions.builder().adaptiveShards(min, max).build();
        return new ShardTrend(options, 1, now, shards, activity());
    }

    private CounterActivity activity() {
        Duration meanWait = Duration.ofMillis(waitMillis / Math.max(1, commits));
        return new CounterActivity(commits, conflicts, 9999, Duration.ZERO, Duration.ZERO, meanWait);
    }

    /** Returns the shard count after a load that lasts for {@code nanos}. */
    private int after(long nanos, int known, long more, long conflicting, long waiting) {
        now += nanos;
        commits += more;
        conflicts += conflicting;
        waitMillis += waiting;
        return trend.observe(now, known, activity());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        600  | 0  | 0      | 10
        601  | 0  | 0      | 11
        1500 | 0  | 0      | 25
        9000 | 0  | 0      | 50
        100  | 5  | 0      | 10
        100  | 6  | 0      | 20
        9    | 9  | 0      | 10
        100  | 0  | 4900   | 10
        100  | 0  | 5000   | 20
        0    | 0  | 0      | 10
        """)
    void minuteOfLoad(long more, long conflicting, long waiting, int expected) {
        assertThat(after(MINUTE, 10, more, conflicting, waiting)).isEqualTo(expected);
    }

    @Test
    void look_isDueAfterAMinute_andThenAgain() {
        assertThat(trend.isDue(now + MINUTE - 1)).isFalse();
        assertThat(trend.isDue(now + MINUTE)).isTrue();
        after(MINUTE, 10, 1, 0, 0);
        assertThat(trend.isDue(now + MINUTE - 1)).isFalse();
        assertThat(trend.isDue(now + MINUTE)).isTrue();
    }

    @Test
    void lookOfAnotherThreadAtTheSameTime_changesNothing() {
        after(MINUTE, 10, 1, 0, 0);
        assertThat(after(1, 10, 100, 100, 0)).isEqualTo(10);
        assertThat(after(MINUTE - 1, 10, 0, 0, 0)).isEqualTo(20);
    }

    @Test
    void onlyTheLoadSinceTheLastLook_counts() {
        assertThat(after(MINUTE, 10, 600, 0, 0)).isEqualTo(10);
        assertThat(after(MINUTE, 10, 300, 0, 0)).isEqualTo(10);
        assertThat(after(MINUTE, 10, 601, 0, 0)).isEqualTo(11);
    }

    @Test
    void newCount_isObservedForAMinute_alsoIfAnotherProcessSetIt() {
        assertThat(after(MINUTE, 20, 9000, 900, 0)).isEqualTo(20); // of the old count
        assertThat(after(MINUTE, 20, 1201, 0, 0)).isEqualTo(21);
    }

    @Test
    void quietHour_lowersTheCount() {
        assertThat(after(HOUR - MINUTE, 10, 1, 0, 0)).isEqualTo(10);
        assertThat(after(MINUTE, 10, 1, 0, 0)).isEqualTo(2);
    }

    @Test
    void busyMinuteOfAnHour_keepsTheCount_untilTheNextHour() {
        after(MINUTE, 10, 180, 0, 0); // needs 3 shards, more than a quarter
        assertThat(after(HOUR, 10, 1, 0, 0)).isEqualTo(10);
        assertThat(after(HOUR, 10, 1, 0, 0)).isEqualTo(2);
    }

    @Test
    void countIsNotLoweredBelowTheLeast_norRaisedAboveTheMost() {
        trend = trend(8, 12, 10);
        assertThat(after(HOUR, 10, 1, 0, 0)).isEqualTo(8);
        trend = trend(8, 12, 8);
        assertThat(after(HOUR, 8, 1, 0, 0)).isEqualTo(8);
        trend = trend(8, 12, 100); // set by reshard
        assertThat(after(MINUTE, 100, 60_000, 60_000, 0)).isEqualTo(100);
    }

    @Test
    void countBelowTheLeast_isRaisedToIt_onceTheLoadAsksForMore() {
        trend = trend(8, 12, 1); // set by reshard, or by a snippet of the recipe
        assertThat(after(MINUTE, 1, 30, 0, 0)).isEqualTo(1);
        assertThat(after(MINUTE, 1, 61, 0, 0)).isEqualTo(8);
        trend = trend(8, 12, 1);
        assertThat(after(MINUTE, 1, 30, 3, 0)).isEqualTo(8);
    }

    @Test
    void loweringThatFailedAfterItWasPublished_isNotComplete() {
        trend.beginLowering(4);
        assertThat(trend.isLoweredInPart(10)).as("not published").isFalse();
        assertThat(trend.isLoweredInPart(4)).isTrue();
        trend.complete();
        assertThat(trend.isLoweredInPart(4)).isFalse();
    }

    @Test
    void loadOfOtherProcesses_preventsLowering() {
        assertThat(trend.lowered(10, 3)).isEqualTo(10);
        assertThat(trend.lowered(10, 30)).isEqualTo(10);
        assertThat(trend.lowered(10, 2)).isEqualTo(4);
    }

    @Test
    void activityThatBeganAgain_isNotComparedWithWhatWasForgotten() {
        after(MINUTE, 10, 100, 0, 0);
        commits = 0;
        assertThat(after(MINUTE, 10, 5, 0, 0)).isEqualTo(10);
        assertThat(after(MINUTE, 10, 601, 0, 0)).isEqualTo(11);
    }
}
