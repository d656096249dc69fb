package io.counterkit.internal.request;

import static java.util.Objects.requireNonNull;

import io.counterkit.AsyncSequence;
import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** {@link AsyncSequence} over a backend. */
record DefaultAsyncSequence(String name, SequenceOperations sequences) implements AsyncSequence {
    @Override
    public CompletableFuture<Entry> append(Map<String, ?> fields) {
        return append(AppendRequest.of(fields, null));
    }

    @Override
    public CompletableFuture<Entry> append(Map<String, ?> fields, IdempotencyToken token) {
        return append(AppendRequest.of(fields, requireNonNull(token, "token")));
    }

    @Override
    public CompletableFuture<Entry> append(Change change, String subject, Map<String, ?> fields) {
        return append(AppendRequest.of(change, subject, fields, null));
    }

    @Override
    public CompletableFuture<Entry> append(
            Change change, String subject, Map<String, ?> fields, IdempotencyToken token) {
        return append(AppendRequest.of(change, subject, fields, requireNonNull(token, "token")));
    }

    private CompletableFuture<Entry> append(AppendRequest request) {
        return sequences.append(name, request, false).reply();
    }

    @Override
    public CompletableFuture<Tail> tail() {
        return sequences.tail(name).reply();
    }

    @Override
    public CompletableFuture<List<Entry>> read(long from, long to) {
        return sequences.read(name, from, to).reply();
    }

    @Override
    public CompletableFuture<Void> erase(long number) {
        return sequences
                .erase(name, number)
                .reply()
                .thenAccept(erased -> SequenceOperations.checkErased(name, number, erased));
    }

    @Override
    public CompletableFuture<Seal> seal(String forward) {
        return sequences.seal(name, forward).reply();
    }

    @Override
    public String toString() {
        return "AsyncSequence[" + name + "]";
    }
}
