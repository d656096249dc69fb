package io.counterkit.datastore.internal.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.tools.development.testing.LocalServiceTestHelper;
import io.counterkit.CorruptDataException;
import io.counterkit.Seal;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the end of a chain is enclosed. */
class ProbeTest {
    private static final ChainName CHAIN = ChainName.sequence("s");

    private final LocalServiceTestHelper helper = new LocalServiceTestHelper();
    private int calls;

    @BeforeEach
    void enter() {
        helper.setUp();
    }

    @AfterEach
    void leave() {
        helper.tearDown();
    }

    /** A chain of {@code last} entries in runs, perhaps with a seal behind. */
    private static ChainEntry link(long number, long last, int run, boolean sealed) {
        if (number > last) {
            return sealed && number == last + 1
                    ? new ChainEntry(number, number, 7, false, false, new Seal("x", last, 7), new Entity("K"))
                    : null;
        }
        long end = Math.min(last, (number + run - 1) / run * run);
        return new ChainEntry(number, end, number, false, false, null, new Entity("K"));
    }

    private ChainTail find(long low, boolean walks, long last, int run, boolean sealed) {
        Probe probe = new Probe(CHAIN, low, walks);
        calls = 0;
        for (List<Long> asks = probe.asks(); !asks.isEmpty(); asks = probe.asks()) {
            assertThat(asks).allMatch(number -> number > 0).hasSizeLessThanOrEqualTo(63);
            probe.tell(asks, number -> link(number, last, run, sealed));
            calls++;
        }
        return probe.found();
    }

    @Test
    void coldStartAsksAtMostFiveTimesUpToAMillion() {
        Random random = new Random(17);
        for (int i = 0; i < 2_000; i++) {
            long last = i < 200 ? i : random.nextLong(1_000_001);
            ChainTail found = find(0, false, last, 1, false);
            assertThat(found.number()).isEqualTo(last);
            assertThat(calls).as("calls for %s entries", last).isLessThanOrEqualTo(5);
            int run = 1 + random.nextInt(24);
            assertThat(find(0, false, last, run, random.nextBoolean()).number()).isEqualTo(last);
            assertThat(calls)
                    .as("calls for %s entries in runs of %s", last, run)
                    .isLessThanOrEqualTo(5);
        }
        assertThat(find(0, false, 1_000_000_000_000L, 1, false).number()).isEqualTo(1_000_000_000_000L);
        assertThat(calls).isLessThanOrEqualTo(11);
    }

    @Test
    void endIsFoundFromEveryHintInEveryWay() {
        Random random = new Random(17);
        for (int i = 0; i < 5_000; i++) {
            long last = random.nextInt(500);
            long low = last == 0 ? 0 : random.nextLong(last + 1);
            int run = 1 + random.nextInt(25);
            boolean walks = random.nextBoolean();
            boolean sealed = random.nextBoolean();
            ChainTail found = find(low, walks, last, run, sealed);
            assertThat(found.number()).isEqualTo(last);
            assertThat(found.value()).isEqualTo(last);
            assertThat(found.seal() != null).isEqualTo(sealed);
            assertThat(calls).isLessThanOrEqualTo(walks ? 20 : 7);
        }
    }

    @Test
    void runsAreNoHindrance() {
        for (long last : new long[] {22, 1_000, 100_000, 999_999}) {
            assertThat(find(0, false, last, 22, false).number()).isEqualTo(last);
            assertThat(calls).as("calls for %s entries", last).isLessThanOrEqualTo(5);
        }
        assertThat(find(17, false, 17, 1, false).number()).isEqualTo(17);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void runThatIsMadeMeanwhileIsSeenWholeOrNotAtAll() {
        Probe probe = new Probe(CHAIN, 4, false);
        probe.tell(
                probe.asks(),
                number -> link(number, 4, 1, false) == null
                        ? null
                        : new ChainEntry(number, number, number, false, false, null, new Entity("K")));
        assertThat(probe.found().number()).isEqualTo(4);
        Probe torn = new Probe(CHAIN, 5, false);
        torn.tell(List.of(5L, 6L), number -> number == 5 ? link(5, 9, 9, false) : null);
        assertThat(torn.asks()).isNotEmpty();
        for (List<Long> asks = torn.asks(); !asks.isEmpty(); asks = torn.asks()) {
            torn.tell(asks, number -> link(number, 9, 9, false));
        }
        assertThat(torn.found().number()).isEqualTo(9);
    }

    /** A chain that begins behind {@code base}, with some copied entries before. */
    private static ChainEntry imported(long number, long base, long last, long copies, boolean sealed) {
        if (number > base) {
            return link(number, last, 1, sealed);
        }
        boolean isThere = number == 1 || number == base || Long.hashCode((copies ^ number) * 31) % 3 == 0;
        Entity place = new Entity("K");
        place.setUnindexedProperty("imported", true);
        return isThere ? new ChainEntry(number, base, base, false, false, null, place) : null;
    }

    @Test
    void endBehindAnImportIsFoundFromWhateverExists() {
        Random random = new Random(17);
        for (int i = 0; i < 5_000; i++) {
            long base = i < 100 ? i + 1 : 1 + random.nextLong(1L << random.nextInt(40));
            long last = base + random.nextInt(random.nextBoolean() ? 3 : 1000);
            boolean walks = random.nextBoolean();
            boolean sealed = random.nextBoolean();
            long low = random.nextInt(4) == 0 ? 0 : 1 + random.nextLong(last);
            long copies = random.nextLong();
            if (low > 0 && imported(low, base, last, copies, sealed) == null) {
                low = base;
            }
            Probe probe = new Probe(CHAIN, low, walks);
            calls = 0;
            for (List<Long> asks = probe.asks(); !asks.isEmpty(); asks = probe.asks()) {
                probe.tell(asks, number -> imported(number, base, last, copies, sealed));
                calls++;
            }
            assertThat(probe.found().number()).isEqualTo(last);
            assertThat(probe.found().value()).isEqualTo(last);
            assertThat(probe.found().seal() != null).isEqualTo(sealed);
            assertThat(calls).isLessThanOrEqualTo(walks ? 36 : last > 1_000_000 ? 6 : 5);
        }
    }

    @Test
    void whatVanishedIsAnError() {
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> new Probe(CHAIN, 5, false).tell(List.of(5L, 6L), number -> null))
                .withMessageContaining("entry 5");
    }
}
