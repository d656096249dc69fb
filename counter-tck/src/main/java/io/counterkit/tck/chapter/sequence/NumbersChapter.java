package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Chapters 6 and 10, continued: large numbers, and numbers that become longer. */
public abstract class NumbersChapter extends MigrationChapter {
    /** The bases of the digits in which a store may write numbers. */
    private static final List<Integer> RADIXES = List.of(2, 10, 36, 62);

    /** The smallest number of trials on a slow store. */
    private static final int LEAST = 3;

    @Test
    @Rule(
            value = "6.7",
            lookAt = "numbers that are converted to floating point, 32 bits or text: with a token, in a seal, in a"
                    + " list, in an imported state")
    final void spec607_numbersAtTheEdgesComeBackExactly() {
        List<Long> deltas = List.of(
                Limits.MAX_DELTA,
                -Limits.MAX_DELTA,
                Limits.MAX_DELTA - 1,
                1 - Limits.MAX_DELTA,
                (1L << 31) - 1,
                1L << 31,
                -(1L << 31) - 1,
                1L << 32,
                (1L << 24) + 1,
                -1L,
                0L);
        for (long delta : deltas) {
            Counter counter = counter();
            IdempotencyToken token = IdempotencyToken.random();
            counter.add(delta, token);
            assertResolved(token, new Resolution.Added(counter.name(), delta));
            assertTotalElsewhere(counter, delta);
            counter.add(1);
            assertTotalElsewhere(counter, delta + 1);
            if (declares(Capability.SEAL_COUNTERS)) {
                assertThat(counter.seal(ELSEWHERE))
                        .as("the seal that is returned")
                        .isEqualTo(new Seal(ELSEWHERE, delta + 1, delta + 1));
                assertTotalElsewhere(counter, delta + 1);
            }
        }
        if (declares(Capability.IMPORT)) {
            basesAtTheEdges();
        }
    }

    private void basesAtTheEdges() {
        MigrationStore into = backend().migration();
        MigrationStore other = backend().migration();
        for (long total : List.of(
                Limits.MAX_TOTAL,
                -Limits.MAX_TOTAL,
                Limits.MAX_TOTAL - 1,
                (1L << 53) + 1,
                -(1L << 53) - 1,
                (1L << 31))) {
            String name = name();
            assertImport(into, Kind.COUNTER, name, total(total), total(total));
            assertImport(other, Kind.COUNTER, name, total(0), total(total));
            assertTotalElsewhere(name, total);
            assertThat(other.bases(Kind.COUNTER, List.of(name), commit()).join())
                    .containsExactly(Optional.of(total(total)));
            there().counter(name).add(total > 0 ? -1 : 1);
            assertTotal(here().counter(name), total > 0 ? total - 1 : total + 1);
        }
        for (long last : List.of(
                (1L << 31) - 1,
                1L << 31,
                (1L << 32) + 1,
                (1L << 53) + 1,
                999_999_999_999_999L,
                Limits.MAX_IMPORTED_LAST)) {
            long live = last % 2 == 0 ? -last : last - 1;
            ImportedState end = end(last, live);
            String name = name();
            assertImport(into, Kind.SEQUENCE, name, end, end);
            IdempotencyToken token = IdempotencyToken.random();
            Entry next = there().sequence(name).append(Map.of("a", "b"), token);
            assertThat(here().resolve(token))
                    .as("the resolution of the token")
                    .isEqualTo(new Resolution.Appended(name, last + 1));
            assertThat(next.number()).as("the number of the entry").isEqualTo(last + 1);
            assertThat(here().sequence(name).append(Map.of(), token))
                    .as("the entry of a repeated append")
                    .isEqualTo(next);
            assertThat(other.bases(Kind.SEQUENCE, List.of(name), commit()).join())
                    .containsExactly(Optional.of(end));
            assertTail(here().sequence(name), new Tail(last + 1, live + 1, null));
            assertThat(entry(here().sequence(name), last + 1))
                    .as("the entry that is read")
                    .isEqualTo(next);
            Entry copy = entry(last, Map.of("a", 1L));
            into.copy(name, List.of(copy), commit()).join();
            assertThat(there().sequence(name).read(last, last + 1)).containsExactly(copy, next);
            Commit commit = commit();
            IdempotencyToken shared = commit.token();
            AppendRequest request = AppendRequest.of(Map.of(), null);
            backend().sequences().append(name, List.of(request), commit).join();
            assertThat(backend()
                            .resolve(shared, ChangeTarget.append(name, 0), commit())
                            .join())
                    .isEqualTo(new Resolution.Appended(name, last + 2));
            if (declares(Capability.SEAL_SEQUENCES)) {
                assertSealed(name, new Seal(ELSEWHERE, last + 2, live + 2));
            }
            there().sequence(name).erase(last);
            there().sequence(name).erase(last + 1);
            assertThat(here().sequence(name).read(last, last + 1))
                    .containsExactly(copy.withoutFields(), next.withoutFields());
        }
    }

    @Test
    @Rule(
            value = "10.27",
            lookAt = "the key under which an entry is stored: a number as text needs leading zeros for 19 digits, and a"
                    + " number as bytes needs a fixed length")
    final void spec1027_entriesAreInOrderWhereNumbersBecomeLonger() throws Exception {
        if (refusesToImport()) {
            return;
        }
        CounterBackend backend = backend();
        List<TimedTrial> trials = new ArrayList<>();
        for (int radix : RADIXES) {
            for (long power = radix;
                    power > 0 && power < Limits.MAX_IMPORTED_LAST;
                    power = timesIfSmall(power, radix)) {
                long first = power;
                if (first > 2) {
                    trials.add(() -> assertOrder(backend, first));
                }
            }
        }
        timeBox.runBriefly(trials, LEAST, random);
    }

    /** Returns the product, or 0 if it is too large. */
    private static long timesIfSmall(long power, int radix) {
        return power > Limits.MAX_IMPORTED_LAST / radix ? 0 : power * radix;
    }

    /** Appends entries before and after a number which is the first one that has another digit. */
    private void assertOrder(CounterBackend backend, long longer) {
        String name = name();
        String as = "a sequence with entries " + (longer - 2) + " to " + (longer + 1);
        imported(backend.migration(), Kind.SEQUENCE, name, end(longer - 2, 1));
        Entry copy = entry(longer - 2, Map.of("a", 1L));
        backend.migration().copy(name, List.of(copy), commit()).join();
        List<Entry> entries = new ArrayList<>(List.of(copy));
        for (int i = 0; i < 3; i++) {
            Sequence sequence = (i % 2 == 0 ? there() : here()).sequence(name);
            entries.add(sequence.append(i == 0 ? Change.ADDED : Change.UPDATED, "s", Map.of("a", 2L)));
            assertThat(entries.get(i + 1).number())
                    .as("the next number of %s", as)
                    .isEqualTo(longer - 1 + i);
        }
        assertThat(here().sequence(name).tail()).as("the tail of %s", as).isEqualTo(new Tail(longer + 1, 2, null));
        for (int from = 0; from < entries.size(); from++) {
            for (int to = from; to < entries.size(); to++) {
                assertThat(here().sequence(name).read(longer - 2 + from, longer - 2 + to))
                        .as("entries %s to %s of %s", longer - 2 + from, longer - 2 + to, as)
                        .isEqualTo(entries.subList(from, to + 1));
            }
        }
        there().sequence(name).erase(longer);
        assertThat(here().sequence(name).read(longer - 2, longer + 9))
                .as("%s, after entry %s was erased", as, longer)
                .containsExactly(entries.get(0), entries.get(1), entries.get(2).withoutFields(), entries.get(3));
        if (declares(Capability.SEAL_SEQUENCES)) {
            assertThat(there().sequence(name).seal(ELSEWHERE))
                    .as("the seal of %s", as)
                    .isEqualTo(new Seal(ELSEWHERE, longer + 1, 2));
        }
    }
}
