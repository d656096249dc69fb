package io.counterkit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The non-blocking form of {@link Sequence}; see {@link AsyncCounter}. */
public interface AsyncSequence {
    /** Returns the sequence's name. */
    String name();

    /** See {@link Sequence#next()}. */
    default CompletableFuture<Long> next() {
        CompletableFuture<Entry> appended = append(Map.of());
        CompletableFuture<Long> number = appended.thenApply(Entry::number);
        CompletableFuture<?> unused = number.whenComplete((value, failure) -> {
            if (number.isCancelled()) {
                appended.cancel(false);
            }
        });
        return number;
    }

    /** See {@link Sequence#append(Map)}. */
    CompletableFuture<Entry> append(Map<String, ?> fields);

    /** See {@link Sequence#append(Map, IdempotencyToken)}. */
    CompletableFuture<Entry> append(Map<String, ?> fields, IdempotencyToken token);

    /** See {@link Sequence#append(Change, String, Map)}. */
    CompletableFuture<Entry> append(Change change, String subject, Map<String, ?> fields);

    /** See {@link Sequence#append(Change, String, Map, IdempotencyToken)}. */
    CompletableFuture<Entry> append(Change change, String subject, Map<String, ?> fields, IdempotencyToken token);

    /** See {@link Sequence#tail()}. */
    CompletableFuture<Tail> tail();

    /** See {@link Sequence#read(long, long)}. */
    CompletableFuture<List<Entry>> read(long from, long to);

    /** See {@link Sequence#erase(long)}. */
    CompletableFuture<Void> erase(long number);

    /** See {@link Sequence#seal(String)}. */
    CompletableFuture<Seal> seal(String forward);
}
