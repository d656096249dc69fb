package io.counterkit.soak;

import io.counterkit.Counters;
import io.counterkit.Readings;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** The ledgers of all counters and sequences of a soak. */
record Ledgers(List<CounterLedger> counters, List<SequenceLedger> sequences, Findings findings) {
    static Ledgers open(Counters store, SoakOptions options) {
        Findings findings = new Findings();
        return new Ledgers(
                IntStream.range(0, options.counters)
                        .mapToObj(i -> new CounterLedger(store.counter(options.prefix + "/counter " + i), findings))
                        .toList(),
                IntStream.range(0, options.sequences)
                        .mapToObj(i -> new SequenceLedger(store.sequence(options.prefix + "/sequence " + i), findings))
                        .toList(),
                findings);
    }

    int size() {
        return counters.size() + sequences.size();
    }

    /** Compares the whole store with the ledgers, after all workers have ended. */
    void check(Counters store) {
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
