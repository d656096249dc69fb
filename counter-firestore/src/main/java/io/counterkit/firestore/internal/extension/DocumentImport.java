package io.counterkit.firestore.internal.extension;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.ContentionException;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.SealedException;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Takes over the fields of one document and updates them, with a {@link Transfer} for each page of its shards.
 *
 * <p>The totals of the counters are read before the transfer, so that adds are not blocked. If the marker has changed
 * since, another import was faster, and this one starts again.
 */
final class DocumentImport {
    private static final int MOST_ATTEMPTS = 20;

    private final ExtensionSource source;
    private final DocumentReference document;
    private final DocumentReference marker;
    private final Findings findings;

    /** The shard after which the next transfer starts; null for the first one. */
    private @Nullable String after;

    private boolean hasMore;

    /** The fields that are counters. */
    private final Set<CountedField> counters = new HashSet<>();

    /** The fields whose counters are sealed. They are reported and skipped, so that the others are taken over. */
    private final Set<CountedField> sealed = new HashSet<>();

    DocumentImport(ExtensionSource source, DocumentReference document, Findings findings) {
        this.source = source;
        this.document = document;
        this.marker = source.marker(document);
        this.findings = findings;
    }

    /** The documents and totals that were read before a transfer. */
    record InitialState(DocumentSnapshot document, DocumentSnapshot marker, Map<CountedField, Long> totals) {}

    /**
     * Runs the import. The future fails only if the store cannot be read.
     *
     * @param mayHaveShards whether the document may have shards
     */
    CompletableFuture<Void> run(boolean mayHaveShards) {
        return attempt(mayHaveShards, 1).thenCompose(done -> {
            if (hasMore) {
                return run(true);
            }
            findings.counters(counters.size());
            return CompletableFuture.completedFuture(null);
        });
    }

    private CompletableFuture<Void> attempt(boolean mayHaveShards, int attempts) {
        hasMore = false;
        Call call = source.schema().ownCall();
        return source.schema()
                .client()
                .read(call, () -> source.schema().firestore().getAll(document, marker))
                .thenCompose(
                        read -> totals(call).thenApply(totals -> new InitialState(read.get(0), read.get(1), totals)))
                .thenCompose(before -> {
                    String other = source.otherPlace(Transfer.dataOf(before.marker()));
                    if (other != null) {
                        findings.left(document, other);
                        return CompletableFuture.completedFuture(null);
                    }
                    return !mayHaveShards && isSettled(before)
                            ? CompletableFuture.completedFuture(null)
                            : transfer(before);
                })
                .exceptionallyCompose(failure -> afterFailure(Futures.unwrap(failure), mayHaveShards, attempts, call));
    }

    private CompletableFuture<Void> afterFailure(Throwable cause, boolean mayHaveShards, int attempts, Call call) {
        // Retries after an unknown outcome too: an applied transfer leaves nothing to move.
        boolean isTransient = cause instanceof Transfer.ChangedMeanwhile
                || cause instanceof ContentionException
                || cause instanceof OutcomeUnknownException;
        if (cause instanceof SealedException && attempts < MOST_ATTEMPTS) {
            return leaveSealed(call)
                    .exceptionally(failure -> false) // then skips the whole document
                    .thenCompose(isNew -> isNew
                            ? attempt(mayHaveShards, attempts + 1)
                            : CompletableFuture.completedFuture(left(cause)));
        }
        if (isTransient && attempts < MOST_ATTEMPTS) {
            return source.schema().timers().afterPause(call, attempts, () -> attempt(mayHaveShards, attempts + 1));
        }
        if (!isTransient && !(cause instanceof CounterException)) {
            return CompletableFuture.failedFuture(cause);
        }
        return CompletableFuture.completedFuture(left(cause));
    }

    private @Nullable Void left(Throwable cause) {
        findings.left(document, reason(cause));
        return null;
    }

    /** Reports and skips the fields whose counters are sealed. Returns whether any of them was not skipped before. */
    private CompletableFuture<Boolean> leaveSealed(Call call) {
        FirestoreSchema schema = source.schema();
        return DocumentReads.byKey(
                        schema,
                        call,
                        source.fields(),
                        field -> schema.counter(ExtensionSource.counter(document, field)))
                .thenApply(read -> {
                    boolean isNew = false;
                    for (Map.Entry<CountedField, DocumentSnapshot> each : read.entrySet()) {
                        CountedField field = each.getKey();
                        CounterSeal seal = CounterSeal.of(each.getValue());
                        if (seal != null && sealed.add(field)) {
                            String name = ExtensionSource.counter(document, field);
                            findings.left(document, field, Reasons.of(new SealedException(name, seal.seal())));
                            isNew = true;
                        }
                    }
                    return isNew;
                });
    }

    private static String reason(Throwable cause) {
        if (cause instanceof Transfer.ChangedMeanwhile) {
            return "other imports keep changing it: run this one again";
        }
        return cause instanceof OutcomeUnknownException
                ? "the store did not say whether it was taken over: run the import again"
                : Reasons.of(cause);
    }

    /** Reads the totals of the counters. Does not change a field whose counter cannot be read. */
    private CompletableFuture<Map<CountedField, Long>> totals(Call call) {
        Map<CountedField, String> names = new LinkedHashMap<>();
        for (CountedField field : source.fields()) {
            if (sealed.contains(field)) {
                continue;
            }
            String name = ExtensionSource.counter(document, field);
            try {
                names.put(field, Limits.checkName("counter name", name));
            } catch (IllegalArgumentException e) {
                findings.left(document, field, "as a counter, " + Reasons.of(e));
            }
        }
        List<CountedField> fields = List.copyOf(names.keySet());
        return source.backend()
                .counters()
                .read(List.copyOf(names.values()), Duration.ZERO, call)
                .thenApply(results -> {
                    Map<CountedField, Long> totals = new LinkedHashMap<>();
                    for (int i = 0; i < fields.size(); i++) {
                        Result<Reading> result = results.get(i);
                        CounterException failure = result.failure();
                        if (failure == null) {
                            totals.put(fields.get(i), result.orThrow().value());
                        } else {
                            findings.left(document, fields.get(i), Reasons.of(failure));
                        }
                    }
                    return totals;
                });
    }

    /** Returns whether each field equals the total of its counter. */
    private boolean isSettled(InitialState before) {
        boolean isSettled = true;
        for (Map.Entry<CountedField, Long> each : before.totals().entrySet()) {
            Amount shown = each.getKey().in(Transfer.dataOf(before.document()));
            long counted = ExtensionSource.counted(Transfer.dataOf(before.marker()), each.getKey());
            if (shown.problem() == null && (shown.isPresent() || counted != 0)) {
                counters.add(each.getKey());
            }
            isSettled &= shown.problem() == null && shown.value() == counted && counted == each.getValue();
        }
        return isSettled;
    }

    private CompletableFuture<Void> transfer(InitialState before) {
        Transfer transfer = new Transfer(source, before, after);
        return source.backend()
                .transact(IdempotencyToken.of("extension-" + UUID.randomUUID()), transfer::run)
                .<Void>thenApply(done -> null)
                .exceptionallyCompose(failure -> Futures.unwrap(failure) instanceof Transfer.NothingToMove
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(failure))
                .thenAccept(done -> {
                    transfer.reportTo(findings, counters);
                    after = transfer.last();
                    hasMore = transfer.isFull();
                });
    }
}
