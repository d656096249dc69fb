package io.counterkit.internal.request;

import io.counterkit.AsyncCounters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Readings;
import io.counterkit.Resolution;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@link AsyncCounters} over a backend. */
record DefaultAsyncCounters(
        CounterOperations counters, SequenceOperations sequences, TokenResolver tokens, TokenSettler settler)
        implements AsyncCounters {
    @Override
    public CompletableFuture<NamePage> counterNames(String prefix, @Nullable String cursor, int limit) {
        return counters.names(prefix, cursor, limit).reply();
    }

    @Override
    public CompletableFuture<NamePage> sequenceNames(String prefix, @Nullable String cursor, int limit) {
        return sequences.names(prefix, cursor, limit).reply();
    }

    @Override
    public CompletableFuture<Readings> readAll(Collection<String> names, Duration maxStaleness) {
        return counters.readAll(names, maxStaleness).reply();
    }

    @Override
    public CompletableFuture<List<NamedReading>> top(String prefix, int limit) {
        return counters.top(prefix, limit).reply();
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token) {
        return tokens.resolve(token).reply();
    }

    @Override
    public CompletableFuture<Resolution> settle(IdempotencyToken token, Duration timeout) {
        return settler.settleAsync(token, timeout);
    }
}
