package io.counterkit.cli.soak;

import io.counterkit.Counters;
import io.counterkit.Readings;
import io.counterkit.cli.backend.Retries;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The counters and sequences of a soak, all below a prefix that no other run has.
 *
 * @param prefix what their names start with
 */
record Books(String prefix, List<CounterBook> counters, List<SequenceBook> sequences, Findings findings) {
    static Books open(Counters store, String prefix, int counters, int sequences) {
        Findings findings = new Findings();
        return new Books(
                prefix,
                IntStream.range(0, counters)
                        .mapToObj(i -> new CounterBook(store.counter(prefix + "/counter " + i), findings))
                        .toList(),
                IntStream.range(0, sequences)
                        .mapToObj(i -> new SequenceBook(store.sequence(prefix + "/sequence " + i), findings))
                        .toList(),
                findings);
    }

    /** How many names there are. */
    int size() {
        return counters.size() + sequences.size();
    }

    /** Compares everything in the store with what is known to be applied, when all workers have ended. */
    void check(Counters store) {
        for (int from = 0; from < counters.size(); from += Limits.MAX_PAGE) {
            List<CounterBook> page = counters.subList(from, Math.min(counters.size(), from + Limits.MAX_PAGE));
            List<String> names =
                    page.stream().map(book -> book.counter().name()).toList();
            Readings readings = Retries.reading(() -> store.readAll(names, Duration.ZERO));
            page.forEach(book -> book.check(readings));
        }
        sequences.forEach(SequenceBook::check);
    }
}
