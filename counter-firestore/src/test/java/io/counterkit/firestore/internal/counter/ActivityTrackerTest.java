package io.counterkit.firestore.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.firestore.CounterActivity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ActivityTrackerTest {
    private static final CounterActivity NOTHING =
            new CounterActivity(0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    private final AtomicLong nanos = new AtomicLong(-5);
    private final ActivityTracker activities = new ActivityTracker(nanos::get);

    @Test
    void unknownCounter_hasNoActivity() {
        assertThat(activities.of("a")).isEqualTo(NOTHING);
    }

    @Test
    void activity_isSeparateForEachCounter() {
        activities.sent("a", 10);
        activities.sent("a", 30);
        activities.sent("b", 0);
        activities.answered(List.of("a", "b"), 100);
        activities.answered(List.of("a"), 300);
        activities.conflicted(List.of("a"), name -> 1);

        assertThat(activities.of("a"))
                .isEqualTo(new CounterActivity(
                        2, 1, 0.2, Duration.ofNanos(200), Duration.ofNanos(300), Duration.ofNanos(20)));
        assertThat(activities.of("b"))
                .isEqualTo(new CounterActivity(1, 0, 0.1, Duration.ofNanos(100), Duration.ofNanos(100), Duration.ZERO));
    }

    @Test
    void conflictOfSeveralCounters_countsForTheOneWithTheBusiestShards() {
        sent("hot", 40);
        sent("wide", 60);
        sent("cold", 3);
        conflict("hot", "wide", "cold");
        assertConflicts(1, 0, 0);

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
        sent("cold", 1);
        conflict("hot", "wide", "cold");
        assertConflicts(2, 0, 0); // its ten busy seconds are recent

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
        sent("cold", 1);
        conflict("hot", "wide", "cold");
        assertConflicts(2, 0, 1);
        conflict("wide");
        assertConflicts(2, 1, 1);
    }

    private void sent(String counter, int commits) {
        for (int i = 0; i < commits; i++) {
            activities.sent(counter, 0);
        }
    }

    private void conflict(String... counters) {
        activities.conflicted(List.of(counters), name -> name.equals("wide") ? 100 : 2);
    }

    private void assertConflicts(long hot, long wide, long cold) {
        assertThat(List.of("hot", "wide", "cold"))
                .extracting(name -> activities.of(name).conflicts())
                .containsExactly(hot, wide, cold);
    }

    @Test
    void busiestTenSeconds_areRemembered() {
        for (int i = 0; i < 50; i++) {
            activities.sent("a", 0);
        }
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        for (int i = 0; i < 20; i++) {
            activities.sent("a", 0);
        }
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        activities.sent("a", 0);
        assertThat(activities.of("a").busiest()).isEqualTo(5);
        for (int i = 0; i < 99; i++) {
            activities.sent("a", 0);
        }
        assertThat(activities.of("a").busiest()).as("also before its end").isEqualTo(10);
    }

    @Test
    void memory_isBounded() {
        for (int i = 0; i <= ActivityTracker.MOST_REMEMBERED; i++) {
            activities.sent("a" + i, 0);
        }
        assertThat(activities.of("a0")).isEqualTo(NOTHING);
        assertThat(activities.of("a" + ActivityTracker.MOST_REMEMBERED).commits())
                .isEqualTo(1);
    }
}
