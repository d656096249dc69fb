package io.counterkit.tck.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.Tail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Checks hand-written histories of appends, and compares the check with a trial of all orders. */
class SequenceHistoryTest {
    private static final int HISTORIES = 20_000;
    private static final int MOST_APPENDS = 6;
    private static final int TIMES = 12;

    private final long seed = Long.getLong("counterkit.seed", System.nanoTime());
    private final SequenceHistory history = new SequenceHistory();

    private record Append(long start, long end, long number) {}

    @Test
    void laterAppendWithTheLowerNumber_isIllegal() {
        history.appended(1, 2, 2);
        history.appended(3, 4, 1);
        assertThat(isLegal(history, entries(2), 2)).isFalse();
    }

    @Test
    void appendsThatEndWhenOthersBegin_mayHaveEitherOrder() {
        history.appended(1, 2, 2);
        history.appended(2, 3, 1);
        assertThat(isLegal(history, entries(2), 2)).isTrue();
    }

    @Test
    void numberWithoutAnEntry_isIllegal() {
        history.appended(1, 2, 1);
        history.appended(1, 2, 2);
        assertThat(isLegal(history, entries(1), 1)).isFalse();
    }

    @Test
    void lastNumberAfterTheEntries_isIllegal() {
        history.appended(1, 2, 1);
        assertThat(isLegal(history, entries(1), 2)).isFalse();
    }

    @Test
    void liveCountsThatDoNotFitTheChanges_areIllegal() {
        history.appended(1, 2, 1);
        Entry entry = new Entry(1, Instant.EPOCH, Change.REMOVED, "s", Map.of(), 0, false);
        assertThat(isLegal(history, List.of(entry), 1)).isFalse();
    }

    @Test
    void randomHistories_areDecidedAsByATrialOfAllOrders() {
        int illegal = 0;
        for (int i = 0; i < HISTORIES; i++) {
            List<Append> appends = generate(new Random(new SplittableRandom(seed + i).nextLong()));
            SequenceHistory random = new SequenceHistory();
            appends.forEach(append -> random.appended(append.start(), append.end(), append.number()));
            boolean expected = hasOrder(1, appends);
            assertThat(isLegal(random, entries(appends.size()), appends.size()))
                    .as("seed %s: %s", seed + i, appends)
                    .isEqualTo(expected);
            illegal += expected ? 0 : 1;
        }
        assertThat(illegal).as("illegal histories").isBetween(HISTORIES / 10, HISTORIES * 9 / 10);
    }

    /** Appends in a random order, each at a moment between its start and its end, and may change one number or time. */
    private static List<Append> generate(Random random) {
        List<Append> appends = new ArrayList<>();
        long moment = 0;
        for (int number = 1; number <= random.nextInt(1, MOST_APPENDS) + 1; number++) {
            moment += random.nextInt(3);
            appends.add(new Append(moment - random.nextInt(TIMES / 2), moment + random.nextInt(TIMES / 2), number));
        }
        int changed = random.nextInt(appends.size());
        Append append = appends.get(changed);
        int later = random.nextInt(-TIMES, TIMES);
        long number = random.nextInt(4) > 0 ? append.number() : random.nextInt(MOST_APPENDS);
        if (random.nextBoolean()) {
            appends.set(changed, new Append(append.start() + later, append.end() + later, number));
        }
        return appends;
    }

    private static boolean hasOrder(long number, List<Append> left) {
        for (Append next : left) {
            if (next.number() == number && left.stream().noneMatch(other -> other.end() < next.start())) {
                List<Append> rest = new ArrayList<>(left);
                rest.remove(next);
                if (hasOrder(number + 1, rest)) {
                    return true;
                }
            }
        }
        return left.isEmpty();
    }

    private static List<Entry> entries(int count) {
        List<Entry> entries = new ArrayList<>();
        for (long number = 1; number <= count; number++) {
            entries.add(new Entry(number, Instant.EPOCH, Change.ADDED, null, Map.of(), number, false));
        }
        return entries;
    }

    private static boolean isLegal(SequenceHistory history, List<Entry> entries, long last) {
        try {
            history.check(entries, new Tail(last, entries.size(), null));
            return true;
        } catch (AssertionError e) {
            return false;
        }
    }
}
