package io.counterkit.firestore.internal.read;

import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.NameQuery;
import io.counterkit.spi.Call;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Renews the roll-ups of the counters under a prefix, page by page. */
public final class PrefixRollup {
    private final FirestoreSchema schema;
    private final RollupWorker rollups;
    private final String prefix;
    private final Supplier<Call> calls;

    /** @param calls returns the call of the next page, each with its own deadline */
    public PrefixRollup(FirestoreSchema schema, RollupWorker rollups, String prefix, Supplier<Call> calls) {
        this.schema = schema;
        this.rollups = rollups;
        this.prefix = prefix;
        this.calls = calls;
    }

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
        return rollups.refresh(names, false).thenCompose(refreshed -> {
            long written = refreshed.written();
            if (refreshed.failure() != null) {
                return CompletableFuture.failedFuture(refreshed.failure());
            }
            return refreshed.missed().isEmpty()
                    ? CompletableFuture.completedFuture(written)
                    : renew(refreshed.missed()).thenApply(more -> written + more);
        });
    }
}
