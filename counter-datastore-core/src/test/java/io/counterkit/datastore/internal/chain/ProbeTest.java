package io.counterkit.datastore.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.CorruptDataException;
import io.counterkit.Seal;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Finding the tail of a chain by probing. */
class ProbeTest {
    private static final ChainName CHAIN = ChainName.sequence("s");

    private static final StoreKey KEY = new StoreKey("K", "k");

    private int calls;

    /** Returns a place of a chain of {@code last} entries in runs, perhaps with a seal. */
    private static ChainEntry entry(long number, long last, int run, boolean sealed) {
        if (number > last) {
            return sealed && number == last + 1
                    ? new ChainEntry(
                            number, number, 7, false, false, null, new Seal("x", last, 7), new StoreEntity(KEY))
                    : null;
        }
        long end = Math.min(last, (number + run - 1) / run * run);
        return new ChainEntry(number, end, number, false, false, null, null, new StoreEntity(KEY));
    }

    private ChainTail find(long low, long last, int run, boolean sealed) {
        Probe probe = new Probe(CHAIN, low);
        calls = 0;
        for (List<Long> numbers = probe.next(); !numbers.isEmpty(); numbers = probe.next()) {
            assertThat(numbers).allMatch(number -> number > 0).hasSizeLessThanOrEqualTo(63);
            probe.accept(numbers, number -> entry(number, last, run, sealed));
            calls++;
        }
        return probe.tail();
    }

    @Test
    void coldStartReadsAtMostFiveTimesUpToAMillion() {
        Random random = new Random(17);
        for (int i = 0; i < 2_000; i++) {
            long last = i < 200 ? i : random.nextLong(1_000_001);
            ChainTail found = find(0, last, 1, false);
            assertThat(found.number()).isEqualTo(last);
            assertThat(calls).as("calls for %s entries", last).isLessThanOrEqualTo(5);
            int run = 1 + random.nextInt(24);
            assertThat(find(0, last, run, random.nextBoolean()).number()).isEqualTo(last);
            assertThat(calls)
                    .as("calls for %s entries in runs of %s", last, run)
                    .isLessThanOrEqualTo(5);
        }
        assertThat(find(0, 1_000_000_000_000L, 1, false).number()).isEqualTo(1_000_000_000_000L);
        assertThat(calls).isLessThanOrEqualTo(11);
    }

    @Test
    void tailIsFoundFromEveryHint() {
        Random random = new Random(17);
        for (int i = 0; i < 5_000; i++) {
            long last = random.nextInt(500);
            long low = last == 0 ? 0 : random.nextLong(last + 1);
            int run = 1 + random.nextInt(25);
            boolean sealed = random.nextBoolean();
            ChainTail found = find(low, last, run, sealed);
            assertThat(found.number()).isEqualTo(last);
            assertThat(found.value()).isEqualTo(last);
            assertThat(found.seal() != null).isEqualTo(sealed);
            assertThat(calls).isLessThanOrEqualTo(7);
        }
    }

    @Test
    void runsAddNoReads() {
        for (long last : new long[] {22, 1_000, 100_000, 999_999}) {
            assertThat(find(0, last, 22, false).number()).isEqualTo(last);
            assertThat(calls).as("calls for %s entries", last).isLessThanOrEqualTo(5);
        }
        assertThat(find(17, 17, 1, false).number()).isEqualTo(17);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void runCreatedDuringTheReadIsSeenWholeOrNotAtAll() {
        Probe probe = new Probe(CHAIN, 4);
        probe.accept(
                probe.next(),
                number -> entry(number, 4, 1, false) == null
                        ? null
                        : new ChainEntry(number, number, number, false, false, null, null, new StoreEntity(KEY)));
        assertThat(probe.tail().number()).isEqualTo(4);
        Probe torn = new Probe(CHAIN, 5);
        torn.accept(List.of(5L, 6L), number -> number == 5 ? entry(5, 9, 9, false) : null);
        assertThat(torn.next()).isNotEmpty();
        for (List<Long> numbers = torn.next(); !numbers.isEmpty(); numbers = torn.next()) {
            torn.accept(numbers, number -> entry(number, 9, 9, false));
        }
        assertThat(torn.tail().number()).isEqualTo(9);
    }

    /** Returns a place of a chain that was imported up to {@code base}, with some copied entries. */
    private static ChainEntry imported(long number, long base, long last, long copies, boolean sealed) {
        if (number > base) {
            return entry(number, last, 1, sealed);
        }
        boolean isThere = number == 1 || number == base || Long.hashCode((copies ^ number) * 31) % 3 == 0;
        StoreEntity place = new StoreEntity(KEY);
        place.set("imported", true);
        return isThere ? new ChainEntry(number, base, base, false, false, null, null, place) : null;
    }

    @Test
    void tailAfterAnImportIsFoundFromAnyPlace() {
        Random random = new Random(17);
        for (int i = 0; i < 5_000; i++) {
            long base = i < 100 ? i + 1 : 1 + random.nextLong(1L << random.nextInt(40));
            long last = base + random.nextInt(random.nextBoolean() ? 3 : 1000);
            boolean sealed = random.nextBoolean();
            long low = random.nextInt(4) == 0 ? 0 : 1 + random.nextLong(last);
            long copies = random.nextLong();
            if (low > 0 && imported(low, base, last, copies, sealed) == null) {
                low = base;
            }
            Probe probe = new Probe(CHAIN, low);
            calls = 0;
            for (List<Long> numbers = probe.next(); !numbers.isEmpty(); numbers = probe.next()) {
                probe.accept(numbers, number -> imported(number, base, last, copies, sealed));
                calls++;
            }
            assertThat(probe.tail().number()).isEqualTo(last);
            assertThat(probe.tail().value()).isEqualTo(last);
            assertThat(probe.tail().seal() != null).isEqualTo(sealed);
            assertThat(calls).isLessThanOrEqualTo(last > 1_000_000 ? 6 : 5);
        }
    }

    @Test
    void deletedEntryIsAnError() {
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> new Probe(CHAIN, 5).accept(List.of(5L, 6L), number -> null))
                .withMessageContaining("entry 5");
    }
}
