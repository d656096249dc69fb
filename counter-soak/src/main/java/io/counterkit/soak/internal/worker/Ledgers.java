package io.counterkit.soak.internal.worker;

import io.counterkit.Counters;
import io.counterkit.Readings;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** The ledgers of all counters and sequences of a soak. */
public record Ledgers(List<CounterLedger> counters, List<SequenceLedger> sequences, Findings findings) {
    /** Opens the counters and sequences, whose names start with {@code prefix}. */
    public static Ledgers open(Counters store, String prefix, int counters, int sequences) {
        Findings findings = new Findings();
        return new Ledgers(
                IntStream.range(0, counters)
                        .mapToObj(i -> new CounterLedger(store.counter(prefix + "/counter " + i), findings))
                        .toList(),
                IntStream.range(0, sequences)
                        .mapToObj(i -> new SequenceLedger(store.sequence(prefix + "/sequence " + i), findings))
                        .toList(),
                findings);
    }

    /** Returns the number of counters and sequences. */
    public int size() {
        return counters.size() + sequences.size();
    }

    /** Compares the whole store with the ledgers, after all workers have ended. */
    public void check(Counters store) {
        for (int from = 0; from < counters.size(); from += Limits.MAX_PAGE) {
            List<CounterLedger> page = counters.subList(from, Math.min(counters.size(), from + Limits.MAX_PAGE));
            List<String> names =
                    page.stream().map(ledger -> ledger.counter().name()).toList();
            Readings readings = Backoff.retrying(() -> store.readAll(names, Duration.ZERO));
            page.forEach(ledger -> ledger.check(readings));
        }
        sequences.forEach(SequenceLedger::check);
    }
}
