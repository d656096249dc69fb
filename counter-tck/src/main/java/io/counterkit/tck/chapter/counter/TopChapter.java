package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.counterkit.Counter;
import io.counterkit.CounterOverflowException;
import io.counterkit.NamedReading;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.model.Overflow;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Chapter 3, continued: the largest counters. */
public abstract class TopChapter extends Chapter {
    private static final int MANY = 1_100;
    private static final int FEW = 200;

    /** The longest time that a fast store takes for {@link #MANY} adds. */
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(150);

    private static final String LONG = "x".repeat(300);

    /** Two endings whose order by code points differs from that by UTF-16 code units. */
    private static final List<String> TWO_ORDERS = List.of("\uff5e", "\ud83d\ude00");

    /** Endings of prefixes that a store may interpret as patterns, or treat as equal. */
    private static final List<String> ENDINGS =
            List.of("a A ab a* a? [a] a% a_ a\\ \u00e9 \uffff ~ \u07ff \ud7ff \ud83d\ude00".split(" "));

    @Test
    @Rule(value = "3.8", lookAt = "Capability.TOP: declared if and only if top works")
    final void spec308_topIsDeclaredAndRightOrRefused() {
        String prefix = name();
        if (!declares(Capability.TOP)) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> here().top(prefix, 3))
                    .withMessageContaining("largest");
            CounterBackend backend = backend();
            assertUnsupported(() -> backend.counters().top(prefix, 3, commit()));
            return;
        }
        here().counter(prefix + "/b").add(7);
        here().counter(prefix + "/a").add(7);
        here().counter(prefix + "/negative").add(-1);
        here().counter(prefix + "/large").add(1L << 40);
        assertThat(there().top(prefix, 3)).extracting(NamedReading::reading).allSatisfy(reading -> {
            ReadingChapter.assertIsRecent(reading);
            assertThat(reading.staleness()).isGreaterThanOrEqualTo(Duration.ZERO);
        });
        awaitLists(() -> assertThat(there().top(prefix, 3))
                .extracting(NamedReading::name, named -> named.reading().value())
                .containsExactly(
                        tuple(prefix + "/large", 1L << 40), tuple(prefix + "/a", 7L), tuple(prefix + "/b", 7L)));
    }

    @Test
    @Rule(
            value = "3.16",
            lookAt = "how the largest counters are ordered and found: ties, totals that are equal as floating-point"
                    + " numbers only, negative totals, zero, reset and deleted counters, sealed and"
                    + " imported ones, totals out of range; absent ones that are left out after the limit"
                    + " was applied")
    final void spec316_largestCountersAreExact() {
        if (!declares(Capability.TOP)) {
            assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> here().top(name(), 1));
            return;
        }
        String prefix = name() + "/";
        for (String ending : List.of("b", "B", "a", "é", "z")) {
            here().counter(prefix + ending).add(7);
        }
        TWO_ORDERS.forEach(ending -> here().counter(prefix + ending).add(7));
        // As doubles the largest and the next one are equal, and the next one is first by name.
        here().counter(prefix + "y largest").add(1L << 53);
        here().counter(prefix + "y largest").add(1);
        here().counter(prefix + "x next").add(1L << 53);
        here().counter(prefix + "reset").add(100);
        here().counter(prefix + "reset").reset();
        here().counter(prefix + "deleted").add(100);
        here().counter(prefix + "deleted").delete();
        here().counter(prefix + "sealed").add(6);
        if (declares(Capability.SEAL_COUNTERS)) {
            here().counter(prefix + "sealed").seal("elsewhere");
            here().counter(prefix + "sealed and absent").seal("elsewhere");
        }
        if (declares(Capability.IMPORT)) {
            ImportedState total = new ImportedState("elsewhere", true, 5, 0);
            backend()
                    .migration()
                    .importBase(Kind.COUNTER, prefix + "imported", total, commit())
                    .join();
        } else {
            here().counter(prefix + "imported").add(5);
        }
        here().counter(prefix + "negative").add(-1);
        here().counter(prefix + "most negative").add(-(1L << 53));
        here().counter(prefix.substring(0, prefix.length() - 1)).add(1L << 53);
        awaitLists(() -> {
            List<NamedReading> top = there().top(prefix, 100);
            List<String> names = top.stream().map(NamedReading::name).toList();
            int byCodePoints =
                    names.indexOf(prefix + TWO_ORDERS.get(0)) < names.indexOf(prefix + TWO_ORDERS.get(1)) ? 0 : 1;
            assertThat(top)
                    .extracting(NamedReading::name, named -> named.reading().value())
                    .containsExactly(
                            tuple(prefix + "y largest", (1L << 53) + 1),
                            tuple(prefix + "x next", 1L << 53),
                            tuple(prefix + "B", 7L),
                            tuple(prefix + "a", 7L),
                            tuple(prefix + "b", 7L),
                            tuple(prefix + "z", 7L),
                            tuple(prefix + "é", 7L),
                            tuple(prefix + TWO_ORDERS.get(byCodePoints), 7L),
                            tuple(prefix + TWO_ORDERS.get(1 - byCodePoints), 7L),
                            tuple(prefix + "sealed", 6L),
                            tuple(prefix + "imported", 5L),
                            tuple(prefix + "reset", 0L),
                            tuple(prefix + "negative", -1L),
                            tuple(prefix + "most negative", -(1L << 53)));
            // The first two totals differ by 1. The third limit is between the names that have two orders, and the last
            // one also covers a negative total.
            for (int limit : new int[] {1, 4, 8, top.size() - 1}) {
                assertThat(there().top(prefix, limit))
                        .as("the %s largest of %s counters; absent ones do not count", limit, top.size())
                        .extracting(NamedReading::name)
                        .isEqualTo(names.subList(0, limit));
            }
        });
        if (declares(Capability.IMPORT)) {
            assertExtremesAreRanked();
        }
        Counter below = here().counter(name());
        Overflow.toTheBottom(below);
        below.add(-1);
        Counter above = here().counter(prefix + "overflown");
        Overflow.above(above);
        for (String outOfRange : List.of(below.name(), prefix)) {
            awaitLists(() -> assertThatExceptionOfType(CounterOverflowException.class)
                    .isThrownBy(() -> there().top(outOfRange, 4)));
        }
        String inRange = name();
        here().counter(inRange).add(1);
        awaitLists(() -> assertThat(there().top(inRange, 4))
                .as("the largest counters under a prefix, while totals under another one are out of range")
                .hasSize(1));
    }

    /** Ranks the largest and the smallest total, whose difference exceeds 63 bits. */
    private void assertExtremesAreRanked() {
        String prefix = name() + "/";
        Map<String, Long> totals = Map.of("most", Limits.MAX_TOTAL, "of all the least", -Limits.MAX_TOTAL, "zero", 0L);
        totals.forEach((ending, total) -> backend()
                .migration()
                .importBase(Kind.COUNTER, prefix + ending, new ImportedState("elsewhere", true, total, 0), commit())
                .join());
        awaitLists(() -> assertThat(there().top(prefix, 100))
                .extracting(named -> named.reading().value())
                .as("a ranking of the largest and the smallest total")
                .containsExactly(Limits.MAX_TOTAL, 0L, -Limits.MAX_TOTAL));
    }

    @Test
    @Rule(
            value = "3.17",
            lookAt = "how many counters are considered; the largest page of a query, in names and in bytes; what the"
                    + " prefix is compared with")
    final void spec317_largestAreFoundAmongManyUnderALiteralPrefix() {
        if (!declares(Capability.TOP)) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> here().top(name(), 1000))
                    .withMessageContaining("largest");
            return;
        }
        String prefix = name() + "/a_%";
        int many = size(MANY, FEW);
        List<String> names = IntStream.range(0, many)
                // Names of the largest length, so that an answer is large too.
                .mapToObj(i -> SimilarTexts.filled(prefix + (char) ('a' + i % 26) + (1000 + i), Limits.MAX_NAME_BYTES))
                .sorted()
                .toList();
        long begin = System.nanoTime();
        List<CompletableFuture<?>> adds = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            adds.add(here().counter(names.get(i)).async().add(i));
        }
        for (String other :
                List.of(prefix.toUpperCase(Locale.ROOT), prefix.replace('_', 'x'), prefix.replace("%", "xx"))) {
            adds.add(here().counter(other + "z").async().add(many));
        }
        adds.forEach(CompletableFuture::join);
        // A slow store may sum up each counter for each ranking, so only one ranking is read.
        boolean isFast = System.nanoTime() - begin < SOON;
        awaitAll(IntStream.range(0, isFast ? 5 * MANY : 0) // the first by name, and far from the largest
                .mapToObj(i -> here().counter(prefix + " " + i).async().add(-1)));
        for (int limit : isFast ? new int[] {many - 100, 1} : new int[] {many - 100}) {
            List<String> largest = new ArrayList<>(names.subList(many - limit, many));
            Collections.reverse(largest);
            awaitLists(() -> assertThat(there().top(prefix, limit))
                    .as("the %s largest of %s counters", limit, many)
                    .extracting(NamedReading::name)
                    .isEqualTo(largest));
        }
        if (isFast) {
            assertEmptyPrefixHasAll();
        }
        String common = name() + "/";
        List<String> similar = new ArrayList<>(List.of(common, common + LONG + "a", common + LONG + "b"));
        ENDINGS.forEach(ending -> similar.add(common + ending));
        awaitAll(similar.stream().map(name -> here().counter(name).async().add(1)));
        for (String start : similar) {
            awaitLists(() -> assertThat(there().top(start, 1000))
                    .as("the largest counters whose names start with '%s'", start)
                    .extracting(NamedReading::name)
                    .containsExactlyInAnyOrderElementsOf(similar.stream()
                            .filter(name -> name.startsWith(start))
                            .toList()));
        }
        awaitLists(() -> assertThat(there().top(common, 1))
                .as("the largest of counters with equal totals")
                .extracting(NamedReading::name)
                .containsExactly(common));
    }

    /** Checks that the largest of all counters are found, unless one of them is out of range. */
    private void assertEmptyPrefixHasAll() {
        List<Long> largest;
        try {
            largest = there().top("", 3).stream()
                    .map(named -> named.reading().value())
                    .toList();
        } catch (CounterOverflowException e) {
            return; // a counter of another test is out of range
        }
        assertThat(largest)
                .as("the totals of the three largest of all counters")
                .hasSize(3)
                .isSortedAccordingTo(Comparator.reverseOrder());
    }
}
