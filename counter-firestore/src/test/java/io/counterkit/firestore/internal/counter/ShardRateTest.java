package io.counterkit.firestore.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how often {@link CounterLoad} lets a process write to a shard. */
class ShardRateTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong now =
            new AtomicLong(Long.MAX_VALUE - SECOND); // overflows during the test, which must not matter
    private final CounterLoads loads = new CounterLoads(1.0, 3, now::get);
    private final CounterLoad load = loads.of("one");

    @Test
    void burst_isImmediateForEachShard_thenOnePerSecond() {
        List<CounterLoad.Turn> atOnce = turns(6, 2);
        assertThat(atOnce).allMatch(turn -> turn.waitNanos() == 0);
        assertThat(atOnce.stream().collect(Collectors.groupingBy(CounterLoad.Turn::shard, Collectors.counting())))
                .containsOnly(Map.entry(0, 3L), Map.entry(1, 3L));

        assertThat(turns(4, 2))
                .extracting(CounterLoad.Turn::waitNanos)
                .containsExactly(SECOND, SECOND, 2 * SECOND, 2 * SECOND);
    }

    @Test
    void idleTime_isSavedUpToTheBurst() {
        turns(6, 2);
        now.addAndGet(1000 * SECOND);
        assertThat(turns(6, 2)).allMatch(turn -> turn.waitNanos() == 0);
        assertThat(turns(1, 2)).allMatch(turn -> turn.waitNanos() == SECOND);
    }

    @Test
    void cancelledWrite_isNotCounted() {
        turns(5, 2);
        CounterLoad.Turn last = turns(1, 2).get(0);
        load.cancel(last.shard());
        assertThat(turns(1, 2)).containsExactly(last);
        assertThat(turns(1, 2)).allMatch(turn -> turn.waitNanos() == SECOND);
        loads.of("unused").cancel(last.shard());
    }

    @Test
    void counters_doNotWaitForEachOther() {
        turns(6, 2);
        assertThat(loads.of("other").reserve(2).waitNanos()).isZero();
    }

    @Test
    void withoutLimit_shardsAreChosenEvenly() {
        CounterLoad unlimited = new CounterLoads(null, 1, now::get).of("any");
        assertThat(IntStream.range(0, 10_000)
                        .mapToObj(i -> unlimited.reserve(10).shard())
                        .collect(Collectors.groupingBy(shard -> shard, Collectors.counting()))
                        .values())
                .hasSize(10)
                .allMatch(count -> count > 800 && count < 1200);
    }

    private List<CounterLoad.Turn> turns(int count, int shards) {
        List<CounterLoad.Turn> turns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            turns.add(load.reserve(shards));
        }
        return turns;
    }
}
