package io.counterkit.internal.request;

import io.counterkit.AsyncSequence;
import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.ChangeTarget;
import java.util.List;
import java.util.Map;

/** A sequence by its name; all state is in the store. */
final class DefaultSequence implements Sequence {
    private final String name;
    private final DefaultCounters counters;

    DefaultSequence(String name, DefaultCounters counters) {
        this.name = name;
        this.counters = counters;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Entry append(Map<String, ?> fields) {
        return counters.appends().append(EntryDraft.of(name, fields));
    }

    @Override
    public Entry append(Map<String, ?> fields, IdempotencyToken token) {
        return counters.appends().append(EntryDraft.of(name, fields).under(token));
    }

    @Override
    public Entry append(Change change, String subject, Map<String, ?> fields) {
        return counters.appends().append(EntryDraft.of(name, change, subject, fields));
    }

    @Override
    public Entry append(Change change, String subject, Map<String, ?> fields, IdempotencyToken token) {
        return counters.appends()
                .append(EntryDraft.of(name, change, subject, fields).under(token));
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
        DefaultCounters.checkErased(name, number, counters.erase(name, number).await());
    }

    @Override
    public Seal seal(String forward) {
        return counters.seal(ChangeTarget.sequence(name), forward).await();
    }

    @Override
    public AsyncSequence async() {
        return new DefaultAsyncSequence(name, counters);
    }

    @Override
    public String toString() {
        return "Sequence[" + name + "]";
    }
}
