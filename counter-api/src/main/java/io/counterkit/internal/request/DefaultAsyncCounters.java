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

/** The whole-store operations for callers that do not block. */
record DefaultAsyncCounters(DefaultCounters counters) implements AsyncCounters {
    @Override
    public CompletableFuture<NamePage> counterNames(String prefix, @Nullable String cursor, int limit) {
        return counters.namesOfCounters(prefix, cursor, limit).reply();
    }

    @Override
    public CompletableFuture<NamePage> sequenceNames(String prefix, @Nullable String cursor, int limit) {
        return counters.namesOfSequences(prefix, cursor, limit).reply();
    }

    @Override
    public CompletableFuture<Readings> readAll(Collection<String> names, Duration maxStaleness) {
        return counters.readMany(names, maxStaleness).reply();
    }

    @Override
    public CompletableFuture<List<NamedReading>> top(String prefix, int limit) {
        return counters.largest(prefix, limit).reply();
    }

    @Override
    public CompletableFuture<Resolution> resolve(IdempotencyToken token) {
        return counters.decide(token).reply();
    }
}
