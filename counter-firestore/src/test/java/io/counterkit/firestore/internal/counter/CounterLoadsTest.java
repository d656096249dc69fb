package io.counterkit.firestore.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CountersListener;
import io.counterkit.firestore.CounterActivity;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests what is observed of counters. */
class CounterLoadsTest {
    private static final CounterActivity NOTHING =
            new CounterActivity(0, 0, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    private final AtomicLong nanos = new AtomicLong(-5);
    private long tick;
    private final CounterLoads loads = new CounterLoads(null, 1, () -> nanos.getAndAdd(tick));

    @Test
    void unknownCounter_hasNoActivity() {
        assertThat(loads.activityOf("a")).isEqualTo(NOTHING);
    }

    @Test
    void activity_isSeparateForEachCounter() {
        loads.of("a").sent(10);
        loads.of("a").sent(30);
        loads.of("b").sent(0);
        adds("a", "b").answered(100);
        adds("a").answered(300);
        adds("a").conflicted();

        assertThat(loads.activityOf("a"))
                .isEqualTo(new CounterActivity(
                        2, 1, 0.2, Duration.ofNanos(200), Duration.ofNanos(300), Duration.ofNanos(20)));
        assertThat(loads.activityOf("b"))
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

    /** Otherwise a commit that is sent at the same time, or passing time, hides it. */
    @Test
    void commitsOfEachCounter_areLookedAtOnceForAConflict() {
        sent("hot", 1);
        tick = TimeUnit.SECONDS.toNanos(20);
        conflict("hot");
        assertThat(loads.activityOf("hot").conflicts()).isOne();
    }

    private void sent(String counter, int commits) {
        for (int i = 0; i < commits; i++) {
            loads.of(counter).sent(0);
        }
    }

    private void conflict(String... counters) {
        adds(counters).conflicted();
    }

    private CommitAdds adds(String... counters) {
        List<AddRequest> requests =
                Stream.of(counters).map(name -> new AddRequest(name, 1, null)).toList();
        CommitAdds adds = new CommitAdds(
                requests,
                new Commit(Duration.ofSeconds(1), ThreadLocalRandom.current(), CountersListener.disabled()),
                loads);
        adds.all()
                .forEach(
                        add -> add.setCounter(CounterDocument.written(add.name().equals("wide") ? 100 : 2, null)));
        return adds;
    }

    private void assertConflicts(long hot, long wide, long cold) {
        assertThat(List.of("hot", "wide", "cold"))
                .extracting(name -> loads.activityOf(name).conflicts())
                .containsExactly(hot, wide, cold);
    }

    @Test
    void busiestTenSeconds_areRemembered() {
        for (int i = 0; i < 50; i++) {
            loads.of("a").sent(0);
        }
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        for (int i = 0; i < 20; i++) {
            loads.of("a").sent(0);
        }
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        loads.of("a").sent(0);
        assertThat(loads.activityOf("a").busiest()).isEqualTo(5);
        for (int i = 0; i < 99; i++) {
            loads.of("a").sent(0);
        }
        assertThat(loads.activityOf("a").busiest()).as("also before its end").isEqualTo(10);
    }

    @Test
    void memory_isBounded() {
        for (int i = 0; i <= CounterLoads.MOST_REMEMBERED; i++) {
            loads.of("a" + i).sent(0);
        }
        assertThat(loads.activityOf("a0")).isEqualTo(NOTHING);
        assertThat(loads.activityOf("a" + CounterLoads.MOST_REMEMBERED).commits())
                .isEqualTo(1);
    }
}
