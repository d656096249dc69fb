package io.counterkit.cli.soak;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import java.util.List;
import java.util.random.RandomGenerator;

/** Does one thing after another, as its random numbers say. Used by one thread. */
final class SoakWorker {
    private final CounterWork counterWork;
    private final SequenceWork sequenceWork;
    private final List<CounterBook> counters;
    private final List<SequenceBook> sequences;
    private final Happened happened;
    private final RandomGenerator random;
    private final String name;
    private final int step;
    private long id;

    /**
     * @param index which of the workers this is, from 0 on
     * @param workers how many there are
     */
    SoakWorker(Counters store, Books books, Happened happened, RandomGenerator random, int index, int workers) {
        Decider decider = new Decider(store, happened, random);
        this.name = books.prefix() + "/worker " + index;
        this.counterWork = new CounterWork(store, happened, decider, random);
        this.sequenceWork = new SequenceWork(store, happened, decider, random, name);
        this.counters = books.counters();
        this.sequences = books.sequences();
        this.happened = happened;
        this.random = random;
        this.id = index + 1L - workers;
        this.step = workers;
    }

    /** What a thread of this worker is called. */
    String name() {
        return name;
    }

    /** One operation. */
    void work() {
        happened.operations.increment();
        id += step;
        int choice = random.nextInt(100);
        if (sequences.isEmpty() || (!counters.isEmpty() && choice < 70)) {
            count(any(counters), random.nextInt(100));
        } else {
            append(any(sequences), random.nextInt(100));
        }
    }

    private void count(CounterBook book, int choice) {
        if (choice < 60) {
            counterWork.add(book, null);
        } else if (choice < 75) {
            counterWork.add(book, token());
        } else if (choice < 80) {
            counterWork.burst(book);
        } else {
            counterWork.read(book);
        }
    }

    private void append(SequenceBook book, int choice) {
        if (choice < 40) {
            sequenceWork.append(book, id, null);
        } else if (choice < 60) {
            sequenceWork.append(book, id, token());
        } else if (choice < 80) {
            sequenceWork.revise(book, id);
        } else {
            sequenceWork.readTail(book);
        }
    }

    private IdempotencyToken token() {
        return IdempotencyToken.of(name + "/" + id);
    }

    private <T> T any(List<T> books) {
        return books.get(random.nextInt(books.size()));
    }
}
