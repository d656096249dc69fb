package io.counterkit.internal.request;

import io.counterkit.AsyncSequence;
import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.spi.ChangeTarget;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A sequence by its name, for callers that do not block. */
final class DefaultAsyncSequence implements AsyncSequence {
    private final String name;
    private final DefaultCounters counters;

    DefaultAsyncSequence(String name, DefaultCounters counters) {
        this.name = name;
        this.counters = counters;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletableFuture<Entry> append(Map<String, ?> fields) {
        return counters.appends().appendAsync(EntryDraft.of(name, fields));
    }

    @Override
    public CompletableFuture<Entry> append(Map<String, ?> fields, IdempotencyToken token) {
        return counters.appends().appendAsync(EntryDraft.of(name, fields).under(token));
    }

    @Override
    public CompletableFuture<Entry> append(Change change, String subject, Map<String, ?> fields) {
        return counters.appends().appendAsync(EntryDraft.of(name, change, subject, fields));
    }

    @Override
    public CompletableFuture<Entry> append(
            Change change, String subject, Map<String, ?> fields, IdempotencyToken token) {
        return counters.appends()
                .appendAsync(EntryDraft.of(name, change, subject, fields).under(token));
    }

    @Override
    public CompletableFuture<Tail> tail() {
        return counters.tail(name).reply();
    }

    @Override
    public CompletableFuture<List<Entry>> read(long from, long to) {
        return counters.read(name, from, to).reply();
    }

    @Override
    public CompletableFuture<Void> erase(long number) {
        return counters.erase(name, number)
                .reply()
                .thenAccept(erased -> DefaultCounters.checkErased(name, number, erased));
    }

    @Override
    public CompletableFuture<Seal> seal(String forward) {
        return counters.seal(ChangeTarget.sequence(name), forward).reply();
    }

    @Override
    public String toString() {
        return "AsyncSequence[" + name + "]";
    }
}
