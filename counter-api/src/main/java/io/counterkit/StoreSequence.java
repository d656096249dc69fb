package io.counterkit;

import io.counterkit.spi.Origin;
import java.util.List;
import java.util.Map;

/** A sequence by its name; all state is in the store. */
final class StoreSequence implements Sequence {
    private final String name;
    private final StoreCounters counters;

    StoreSequence(String name, StoreCounters counters) {
        this.name = name;
        this.counters = counters;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Entry append(Map<String, ?> fields) {
        return counters.appends().append(Draft.of(name, fields));
    }

    @Override
    public Entry append(Map<String, ?> fields, IdempotencyToken token) {
        return counters.appends().append(Draft.of(name, fields).under(token));
    }

    @Override
    public Entry append(Change change, String subject, Map<String, ?> fields) {
        return counters.appends().append(Draft.of(name, change, subject, fields));
    }

    @Override
    public Entry append(Change change, String subject, Map<String, ?> fields, IdempotencyToken token) {
        return counters.appends().append(Draft.of(name, change, subject, fields).under(token));
    }

    @Override
    public Tail tail() {
        return counters.tail(name).await();
    }

    @Override
    public List<Entry> read(long from, long to) {
        return counters.read(name, from, to).await();
    }

    @Override
    public void erase(long number) {
        StoreCounters.checkErased(name, number, counters.erase(name, number).await());
    }

    @Override
    public Seal seal(String forward) {
        return counters.seal(Origin.sequence(name), forward).await();
    }

    @Override
    public AsyncSequence async() {
        return new StoreAsyncSequence(name, counters);
    }

    @Override
    public String toString() {
        return "Sequence[" + name + "]";
    }
}
