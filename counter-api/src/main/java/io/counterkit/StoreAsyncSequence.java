package io.counterkit;

import io.counterkit.spi.Origin;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A sequence by its name, for callers that do not block. */
final class StoreAsyncSequence implements AsyncSequence {
    private final String name;
    private final StoreCounters counters;

    StoreAsyncSequence(String name, StoreCounters counters) {
        this.name = name;
        this.counters = counters;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CompletableFuture<Entry> append(Map<String, ?> fields) {
        return counters.appends().appendAsync(Draft.of(name, fields));
    }

    @Override
    public CompletableFuture<Entry> append(Map<String, ?> fields, IdempotencyToken token) {
        return counters.appends().appendAsync(Draft.of(name, fields).under(token));
    }

    @Override
    public CompletableFuture<Entry> append(Change change, String subject, Map<String, ?> fields) {
        return counters.appends().appendAsync(Draft.of(name, change, subject, fields));
    }

    @Override
    public CompletableFuture<Entry> append(
            Change change, String subject, Map<String, ?> fields, IdempotencyToken token) {
        return counters.appends()
                .appendAsync(Draft.of(name, change, subject, fields).under(token));
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
                .thenAccept(erased -> StoreCounters.checkErased(name, number, erased));
    }

    @Override
    public CompletableFuture<Seal> seal(String forward) {
        return counters.seal(Origin.sequence(name), forward).reply();
    }

    @Override
    public String toString() {
        return "AsyncSequence[" + name + "]";
    }
}
