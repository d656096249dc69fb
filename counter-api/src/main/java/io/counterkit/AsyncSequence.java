package io.counterkit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** {@link Sequence} without blocking, in the way that {@link AsyncCounter} is {@link Counter} without blocking. */
public interface AsyncSequence {
    /** The sequence's name. */
    String name();

    /** {@link Sequence#next()}. */
    default CompletableFuture<Long> next() {
        return append(Map.of()).thenApply(Entry::number);
    }

    /** {@link Sequence#append(Map)}. */
    CompletableFuture<Entry> append(Map<String, ?> fields);

    /** {@link Sequence#append(Map, IdempotencyToken)}. */
    CompletableFuture<Entry> append(Map<String, ?> fields, IdempotencyToken token);

    /** {@link Sequence#append(Change, String, Map)}. */
    CompletableFuture<Entry> append(Change change, String subject, Map<String, ?> fields);

    /** {@link Sequence#append(Change, String, Map, IdempotencyToken)}. */
    CompletableFuture<Entry> append(Change change, String subject, Map<String, ?> fields, IdempotencyToken token);

    /** {@link Sequence#tail()}. */
    CompletableFuture<Tail> tail();

    /** {@link Sequence#read(long, long)}. */
    CompletableFuture<List<Entry>> read(long from, long to);

    /** {@link Sequence#erase(long)}. */
    CompletableFuture<Void> erase(long number);

    /** {@link Sequence#seal(String)}. */
    CompletableFuture<Seal> seal(String forward);
}
