package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.SealedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Adds to counters, appends to sequences and erases entries in turn, also under new names, and records its changes. It
 * changes the source directly, and repeats through the migration what a seal refuses.
 */
public final class MatrixWriter {
    private final Counters source;
    private final Counters migration;
    private final List<String> counters;
    private final List<String> sequences;
    private final Map<String, Long> totals = new HashMap<>();
    private final Map<String, List<Long>> numbers = new HashMap<>();
    private final Map<String, List<Entry>> before = new HashMap<>();
    private final Set<Long> erased = new TreeSet<>();
    private int turns;

    /**
     * @param counters the names of counters; some may be new
     * @param sequences the names of sequences; entries of the first one are erased
     */
    public MatrixWriter(Counters source, Counters migration, List<String> counters, List<String> sequences) {
        this.source = source;
        this.migration = migration;
        this.counters = counters;
        this.sequences = sequences;
        counters.forEach(name -> totals.put(name, source.counter(name).get()));
        sequences.forEach(name -> {
            before.put(name, TwoStores.entries(source, name));
            numbers.put(name, new ArrayList<>());
        });
    }

    /** Makes the next change, of alternating kinds. */
    public void turn() {
        turns++;
        if (turns % 3 == 0) {
            String name = counters.get(turns / 3 % counters.size());
            totals.merge(name, (long) turns, Long::sum);
            change(at -> {
                at.counter(name).add(turns);
                return true;
            });
        } else if (turns % 3 == 1) {
            String name = sequences.get(turns / 3 % sequences.size());
            numbers.get(name)
                    .add(change(at -> at.sequence(name)
                            .append(Map.of("turn", (long) turns))
                            .number()));
        } else if (3 * turns < before.get(sequences.get(0)).size()) {
            erased.add(3L * turns);
            migration.sequence(sequences.get(0)).erase(3L * turns);
        }
    }

    private <T> T change(Function<Counters, T> change) {
        try {
            return change.apply(source);
        } catch (SealedException e) {
            return change.apply(migration);
        }
    }

    /** Checks that nothing is lost or doubled, through the migration and at the target. */
    public void assertExact(Counters now, Counters target) {
        totals.forEach((name, total) -> {
            assertThat(now.counter(name).get()).as(name).isEqualTo(total);
            assertThat(target.counter(name).get()).as("%s at the target", name).isEqualTo(total);
        });
        for (String name : sequences) {
            int first = before.get(name).size();
            List<Long> issued = numbers.get(name);
            int last = first + issued.size();
            assertThat(issued)
                    .as(name)
                    .isEqualTo(LongStream.rangeClosed(first + 1, last).boxed().toList());
            assertThat(now.sequence(name).tail().last()).as(name).isEqualTo(last);
            List<Entry> entries = TwoStores.entries(target, name);
            assertThat(entries)
                    .extracting(Entry::number)
                    .as("%s at the target", name)
                    .isEqualTo(LongStream.rangeClosed(1, last).boxed().toList());
            assertThat(TwoStores.entries(now, name)).isEqualTo(entries);
            for (Entry entry : before.get(name)) {
                boolean isErased = name.equals(sequences.get(0)) && erased.contains(entry.number());
                Entry copied = entries.get((int) entry.number() - 1);
                assertThat(copied.erased()).as("%s erased", copied).isEqualTo(entry.erased() || isErased);
                if (!isErased) {
                    assertThat(copied).isEqualTo(entry);
                }
            }
        }
    }
}
