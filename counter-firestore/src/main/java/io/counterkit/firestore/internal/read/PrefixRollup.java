package io.counterkit.firestore.internal.read;

import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.NameQuery;
import io.counterkit.spi.Call;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Renews the roll-ups of the counters under a prefix, page by page.
 *
 * @param calls returns the call of the next page, each with its own deadline
 */
public record PrefixRollup(FirestoreSchema schema, CounterReads reads, String prefix, Supplier<Call> calls) {
    /** Returns the number of renewed roll-ups. */
    public CompletableFuture<Long> run() {
        return from(null, 0);
    }

    private CompletableFuture<Long> from(@Nullable String cursor, long before) {
        return new NameQuery(schema, schema.counters(), prefix, Limits.MAX_PAGE, calls.get())
                .page(cursor)
                .thenCompose(page -> renew(page.names())
                        .thenCompose(renewed -> page.next() == null
                                ? CompletableFuture.completedFuture(before + renewed)
                                : from(page.next(), before + renewed)));
    }

    /** Renews roll-ups, and repeats those that were missed because another process changed the counter. */
    private CompletableFuture<Long> renew(List<String> names) {
        return new RollupRenewal(schema, reads).run(names, false).thenCompose(renewed -> {
            long written = renewed.written();
            if (renewed.failure() != null) {
                return CompletableFuture.failedFuture(renewed.failure());
            }
            return renewed.missed().isEmpty()
                    ? CompletableFuture.completedFuture(written)
                    : renew(renewed.missed()).thenApply(more -> written + more);
        });
    }
}
