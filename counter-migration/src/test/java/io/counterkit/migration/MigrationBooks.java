package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The expected content of names that were written to while they moved: nothing is lost or doubled.
 *
 * @param counters the counters; the initial total of each is its index
 * @param entries how many entries each of the sequences had at first
 */
public record MigrationBooks(
        List<String> counters, List<String> sequences, int entries, List<MigrationWriter> writers) {
    /** Checks all names. */
    public void assertExact(Counters now) {
        for (int i = 0; i < counters.size(); i++) {
            assertExact(i, now);
        }
    }

    /** Checks one counter and one sequence. */
    public void assertExact(int i, Counters now) {
        String counter = counters.get(i);
        long added = writers.stream().mapToLong(writer -> writer.added(counter)).sum();
        assertThat(now.counter(counter).get()).as(counter).isEqualTo(i + added);
        String sequence = sequences.get(i);
        List<Long> issued = writers.stream()
                .flatMap(writer -> writer.numbers(sequence).stream())
                .sorted()
                .toList();
        long last = (long) entries + issued.size();
        assertThat(issued)
                .as("%s: no gap, and no number twice", sequence)
                .isEqualTo(LongStream.rangeClosed(entries + 1, last).boxed().toList());
        assertThat(now.sequence(sequence).tail().last()).isEqualTo(last);
        assertThat(now.sequence(sequence).tail().liveCount()).isEqualTo(last);
        assertThat(numbers(now.sequence(sequence), last))
                .isEqualTo(LongStream.rangeClosed(1, last).boxed().toList());
    }

    private static List<Long> numbers(Sequence sequence, long last) {
        List<Long> numbers = new ArrayList<>();
        for (long from = 1; from <= last; from += Limits.MAX_PAGE) {
            sequence.read(from, Math.min(last, from + Limits.MAX_PAGE - 1)).stream()
                    .map(Entry::number)
                    .forEach(numbers::add);
        }
        return numbers;
    }
}
