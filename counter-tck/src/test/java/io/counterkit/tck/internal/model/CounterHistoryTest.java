package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Checks hand-written histories of adds and reads, and compares the check with a trial of all orders. */
class CounterHistoryTest {
    private static final int HISTORIES = 20_000;
    private static final int MOST_CALLS = 6;
    private static final int TIMES = 12;

    private final long seed = Long.getLong("counterkit.seed", System.nanoTime());
    private final List<Call> calls = new ArrayList<>();

    /** An add of a delta, or a read of a total. */
    private record Call(boolean isAdd, long start, long end, long value) {}

    @Test
    void readDuringAnAdd_mayShowItOrNot() {
        add(1, 6, 1);
        read(2, 3, 0);
        read(4, 5, 1);
        assertLegal();
    }

    @Test
    void addThatBeginsWhenAReadEnds_mayBeSeen() {
        add(2, 3, 1);
        read(1, 2, 1);
        assertLegal();
    }

    @Test
    void addThatEndsWhenAReadBegins_mayBeMissing() {
        add(1, 2, 1);
        read(2, 3, 0);
        assertLegal();
    }

    @Test
    void staleRead_isIllegal() {
        add(1, 2, 1);
        read(3, 4, 0);
        assertIllegal();
    }

    @Test
    void readOfPartOfAnAdd_isIllegal() {
        add(1, 4, 4);
        read(2, 3, 2);
        assertIllegal();
    }

    @Test
    void readThatShowsTheLaterOfTwoAdds_isIllegal() {
        add(2, 3, 1);
        add(4, 5, 2);
        read(1, 6, 2);
        assertIllegal();
    }

    @Test
    void readsThatShowTwoAddsInDifferentOrders_areIllegal() {
        add(1, 6, 1);
        add(1, 6, 2);
        read(2, 5, 1);
        read(2, 5, 2);
        assertIllegal();
    }

    @Test
    void readThatGoesBack_isIllegal() {
        add(1, 6, 1);
        read(2, 3, 1);
        read(4, 5, 0);
        assertIllegal();
    }

    @Test
    void randomHistories_areDecidedAsByATrialOfAllOrders() {
        int illegal = 0;
        for (int i = 0; i < HISTORIES; i++) {
            calls.clear();
            generate(new Random(new SplittableRandom(seed + i).nextLong()));
            boolean expected = hasOrder(0, new ArrayList<>(calls));
            assertThat(isLegal()).as("seed %s: %s", seed + i, calls).isEqualTo(expected);
            illegal += expected ? 0 : 1;
        }
        assertThat(illegal).as("illegal histories").isBetween(HISTORIES / 5, HISTORIES * 4 / 5);
    }

    /**
     * Carries out calls in a random order, each at a moment between its start and its end, and may change one total.
     */
    private void generate(Random random) {
        int count = random.nextInt(2, MOST_CALLS + 1);
        long total = 0;
        long moment = random.nextInt(TIMES);
        for (int i = 0; i < count; i++) {
            long start = moment - random.nextInt(TIMES / 2);
            long end = moment + random.nextInt(TIMES / 2);
            if (random.nextBoolean()) {
                total += 1L << i;
                calls.add(new Call(true, start, end, 1L << i));
            } else {
                calls.add(new Call(false, start, end, total));
            }
            moment += random.nextInt(3);
        }
        int changed = random.nextInt(count);
        Call call = calls.get(changed);
        if (!call.isAdd() && random.nextInt(4) > 0) {
            long other = call.value() ^ (1L << random.nextInt(count));
            calls.set(changed, new Call(false, call.start(), call.end(), other));
        } else if (random.nextInt(4) > 0) {
            long later = random.nextInt(-TIMES / 2, TIMES / 2);
            calls.set(changed, new Call(call.isAdd(), call.start() + later, call.end() + later, call.value()));
        }
    }

    private static boolean hasOrder(long total, List<Call> left) {
        for (Call next : left) {
            boolean isFirst = left.stream().noneMatch(other -> other.end() < next.start());
            if (isFirst && (next.isAdd() || next.value() == total)) {
                List<Call> rest = new ArrayList<>(left);
                rest.remove(next);
                if (hasOrder(next.isAdd() ? total + next.value() : total, rest)) {
                    return true;
                }
            }
        }
        return left.isEmpty();
    }

    private void add(long start, long end, long delta) {
        calls.add(new Call(true, start, end, delta));
    }

    private void read(long start, long end, long total) {
        calls.add(new Call(false, start, end, total));
    }

    private boolean isLegal() {
        CounterHistory history = new CounterHistory();
        for (Call call : calls) {
            if (call.isAdd()) {
                history.added(call.start(), call.end(), call.value());
            } else {
                history.read(call.start(), call.end(), call.value());
            }
        }
        try {
            history.check();
            return true;
        } catch (AssertionError e) {
            return false;
        }
    }

    private void assertLegal() {
        assertThat(isLegal()).isTrue();
    }

    private void assertIllegal() {
        assertThat(isLegal()).isFalse();
    }
}
