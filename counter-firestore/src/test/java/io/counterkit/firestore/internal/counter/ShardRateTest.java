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
        List<CounterLoad.Reservation> atOnce = reservations(6, 2);
        assertThat(atOnce).allMatch(next -> next.waitNanos() == 0);
        assertThat(atOnce.stream()
                        .collect(Collectors.groupingBy(CounterLoad.Reservation::shard, Collectors.counting())))
                .containsOnly(Map.entry(0, 3L), Map.entry(1, 3L));

        assertThat(reservations(4, 2))
                .extracting(CounterLoad.Reservation::waitNanos)
                .containsExactly(SECOND, SECOND, 2 * SECOND, 2 * SECOND);
    }

    @Test
    void idleTime_isSavedUpToTheBurst() {
        reservations(6, 2);
        now.addAndGet(1000 * SECOND);
        assertThat(reservations(6, 2)).allMatch(next -> next.waitNanos() == 0);
        assertThat(reservations(1, 2)).allMatch(next -> next.waitNanos() == SECOND);
    }

    @Test
    void cancelledWrite_isNotCounted() {
        reservations(5, 2);
        CounterLoad.Reservation last = reservations(1, 2).get(0);
        load.cancel(last.shard());
        assertThat(reservations(1, 2)).containsExactly(last);
        assertThat(reservations(1, 2)).allMatch(next -> next.waitNanos() == SECOND);
        loads.of("unused").cancel(last.shard());
    }

    @Test
    void counters_doNotWaitForEachOther() {
        reservations(6, 2);
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

    private List<CounterLoad.Reservation> reservations(int count, int shards) {
        List<CounterLoad.Reservation> reservations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            reservations.add(load.reserve(shards));
        }
        return reservations;
    }
}
