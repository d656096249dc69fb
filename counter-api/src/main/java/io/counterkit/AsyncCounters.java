package io.counterkit;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The whole-store operations of {@link Counters} without blocking, in the way that {@link AsyncCounter} is
 * {@link Counter} without blocking.
 */
public interface AsyncCounters {
    /** {@link Counters#counterNames(String, String, int)}. */
    CompletableFuture<NamePage> counterNames(String prefix, @Nullable String cursor, int limit);

    /** {@link Counters#sequenceNames(String, String, int)}. */
    CompletableFuture<NamePage> sequenceNames(String prefix, @Nullable String cursor, int limit);

    /** {@link Counters#readAll(Collection, Duration)}; fails where that throws. */
    CompletableFuture<Readings> readAll(Collection<String> names, Duration maxStaleness);

    /** {@link Counters#top(String, int)}. */
    CompletableFuture<List<NamedReading>> top(String prefix, int limit);

    /** {@link Counters#resolve(IdempotencyToken)}. */
    CompletableFuture<Resolution> resolve(IdempotencyToken token);

    /** {@link Counters#settle(IdempotencyToken, Duration)}. */
    CompletableFuture<Resolution> settle(IdempotencyToken token, Duration timeout);
}
