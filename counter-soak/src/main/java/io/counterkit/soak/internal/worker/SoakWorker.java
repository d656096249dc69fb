package io.counterkit.soak.internal.worker;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes one operation after another, at random. Used by one thread. */
public final class SoakWorker {
    private final CounterWorkload counterWorkload;
    private final SequenceWorkload sequenceWorkload;
    private final Ledgers ledgers;
    private final SoakStatistics statistics;
    private final RandomGenerator random;
    private final String name;
    private final int step;
    private long id;

    /**
     * Creates a worker.
     *
     * @param prefix the start of the worker's name
     * @param index which of the workers this is, from 0
     * @param workers the number of workers
     */
    public SoakWorker(
            Counters store,
            Ledgers ledgers,
            SoakStatistics statistics,
            RandomGenerator random,
            String prefix,
            int index,
            int workers) {
        OutcomeResolver resolver = new OutcomeResolver(store, statistics, random);
        this.name = prefix + "/worker " + index;
        this.counterWorkload = new CounterWorkload(store, statistics, resolver, random);
        this.sequenceWorkload = new SequenceWorkload(store, statistics, resolver, random, name);
        this.ledgers = ledgers;
        this.statistics = statistics;
        this.random = random;
        this.id = index + 1L - workers;
        this.step = workers;
    }

    /** Returns the name of the worker's thread, which its tokens start with. */
    public String name() {
        return name;
    }

    /** Makes one operation. */
    public void work() {
        statistics.operations.increment();
        id += step;
        int choice = random.nextInt(100);
        if (ledgers.sequences().isEmpty() || (!ledgers.counters().isEmpty() && choice < 70)) {
            workOn(any(ledgers.counters()), random.nextInt(100));
        } else {
            workOn(any(ledgers.sequences()), random.nextInt(100));
        }
    }

    private void workOn(CounterLedger ledger, int choice) {
        if (choice < 60) {
            counterWorkload.add(ledger, null);
        } else if (choice < 75) {
            counterWorkload.add(ledger, token());
        } else if (choice < 80) {
            counterWorkload.burst(ledger);
        } else {
            counterWorkload.read(ledger);
        }
    }

    private void workOn(SequenceLedger ledger, int choice) {
        if (choice < 40) {
            sequenceWorkload.append(ledger, id, null);
        } else if (choice < 60) {
            sequenceWorkload.append(ledger, id, token());
        } else if (choice < 80) {
            sequenceWorkload.appendToSubject(ledger, id);
        } else {
            sequenceWorkload.readTail(ledger);
        }
    }

    private IdempotencyToken token() {
        return IdempotencyToken.of(name + "/" + id);
    }

    private <T> T any(List<T> ledgers) {
        return ledgers.get(random.nextInt(ledgers.size()));
    }
}
