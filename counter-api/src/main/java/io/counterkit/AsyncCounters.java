package io.counterkit;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The non-blocking form of the whole-store operations of {@link Counters}; see {@link AsyncCounter}. */
public interface AsyncCounters {
    /** See {@link Counters#counterNames(String, String, int)}. */
    CompletableFuture<NamePage> counterNames(String prefix, @Nullable String cursor, int limit);

    /** See {@link Counters#sequenceNames(String, String, int)}. */
    CompletableFuture<NamePage> sequenceNames(String prefix, @Nullable String cursor, int limit);

    /** See {@link Counters#readAll(Collection, Duration)}. */
    CompletableFuture<Readings> readAll(Collection<String> names, Duration maxStaleness);

    /** See {@link Counters#top(String, int)}. */
    CompletableFuture<List<NamedReading>> top(String prefix, int limit);

    /** See {@link Counters#resolve(IdempotencyToken)}. */
    CompletableFuture<Resolution> resolve(IdempotencyToken token);

    /** See {@link Counters#settle(IdempotencyToken, Duration)}. */
    CompletableFuture<Resolution> settle(IdempotencyToken token, Duration timeout);
}
