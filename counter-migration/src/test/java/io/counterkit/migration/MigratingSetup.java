package io.counterkit.migration;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.spi.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A source, a target, and a backend that moves names between them, which records its calls. */
abstract class MigratingSetup {
    static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    final AtomicLong nanos = new AtomicLong(17);
    final InMemoryStore source = store();
    final InMemoryStore target = store();
    final List<String> calls = new CopyOnWriteArrayList<>();
    final Rollout rollout = Rollout.at(100);
    final Counters old = Counters.over(InMemoryBackend.over(source));
    final MigratingBackend backend = connect();
    final Counters counters = Counters.over(backend);
    final Call call = new Call(Duration.ofMinutes(1), CountersListener.disabled());
    final String name = "name/" + UUID.randomUUID();

    InMemoryStore store() {
        return InMemoryStore.create(InMemoryOptions.builder().clock(now::get).build());
    }

    MigratingBackend connect() {
        Connection recorder = new Connection() {
            @Override
            public <T> CompletableFuture<T> pass(String what, Call passing, Supplier<CompletableFuture<T>> carriedOut) {
                calls.add(what.replace(name, "n"));
                return carriedOut.get();
            }
        };
        return MigratingBackend.create(
                new ConnectedBackend("source", InMemoryBackend.over(source), recorder),
                new ConnectedBackend("target", InMemoryBackend.over(target), recorder),
                options());
    }

    MigrationOptions options() {
        return MigrationOptions.builder("old", "new")
                .rollout(rollout)
                .nanoTime(nanos::get)
                .build();
    }

    static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
