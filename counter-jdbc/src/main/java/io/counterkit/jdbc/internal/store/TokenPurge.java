package io.counterkit.jdbc.internal.store;

import io.counterkit.CountersListener;
import io.counterkit.spi.Call;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Deletes expired tokens in small transactions, automatically while changes are made. Thread-safe. */
final class TokenPurge {
    private static final System.Logger LOG = System.getLogger(TokenPurge.class.getName());
    private static final long STEP = 500;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Database database;
    private final long intervalNanos;
    private final AtomicLong due;

    TokenPurge(Database database, Duration interval) {
        this.database = database;
        this.intervalNanos = interval.toNanos();
        this.due = new AtomicLong(System.nanoTime() + intervalNanos);
    }

    /** Starts a purge if the last one is an interval ago. Does not wait for it. */
    void runIfDue() {
        long before = due.get();
        long now = System.nanoTime();
        if (now - before >= 0 && due.compareAndSet(before, now + intervalNanos)) {
            CompletableFuture<?> unused = run().whenComplete((deleted, failure) -> {
                if (failure != null) {
                    LOG.log(System.Logger.Level.WARNING, "expired tokens stay until the next purge", failure);
                }
            });
        }
    }

    /** Deletes all expired tokens, and returns how many there were. */
    CompletableFuture<Long> run() {
        return step(0);
    }

    /** Deletes one group, in its own transaction, so that other transactions do not wait for long. */
    private CompletableFuture<Long> step(long before) {
        Call call = new Call(TIMEOUT, CountersListener.disabled());
        return database.repeatable(
                        "purging expired tokens",
                        List.of(),
                        call,
                        session -> session.update(database.statements().deleteExpiredTokens(), STEP))
                .thenCompose(deleted ->
                        deleted < STEP ? CompletableFuture.completedFuture(before + deleted) : step(before + deleted));
    }
}
