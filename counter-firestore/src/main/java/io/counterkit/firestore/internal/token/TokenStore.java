package io.counterkit.firestore.internal.token;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.UpdateBuilder;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.firestore.internal.client.Answer;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.TokenRetention;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Futures;
import io.counterkit.spi.RecentlyUsed;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Creates, reads and resolves tokens in the place of this configuration. Several configurations of a database may share
 * one collection of tokens, so a token has up to two documents that concern a place:
 *
 * <ul>
 *   <li>The <em>first</em> document is the same for all places. It names the place that it belongs to; one written by a
 *       version without places belongs to every place. Each commit creates it, so only one of all commits with the
 *       token can be the first, including those of versions without places.
 *   <li>The <em>second</em> document belongs to this place alone. A commit creates it instead of the first one if the
 *       first one belongs to another place.
 * </ul>
 *
 * <p>The second document is valid only while the first one exists: otherwise a commit would create the first one again.
 * So before the second is created, the first is extended to expire no earlier than the second. The first document is
 * removed only when it expires, and its place never changes, so every commit of this place finds the first document and
 * then the second.
 */
public final class TokenStore {
    /** About 10 MB with the longest tokens. */
    private static final int MOST_REMEMBERED = 10_000;

    /** The most expiries extended at once: a channel carries a hundred calls. */
    private static final int MOST_EXTENDED = 50;

    private final FirestoreSchema schema;

    /** The tokens whose first document belongs to another place, and until when that is certain. */
    private final RecentlyUsed<IdempotencyToken, Instant> others = new RecentlyUsed<>(MOST_REMEMBERED);

    public TokenStore(FirestoreSchema schema) {
        this.schema = schema;
    }

    /**
     * The token documents of this place.
     *
     * @param documents those that exist, by token
     * @param needsSecond whether a token has no document here, and needs its second one
     */
    public record Found(Map<IdempotencyToken, TokenDocument> documents, boolean needsSecond) {
        @Nullable public TokenDocument get(IdempotencyToken token) {
            return documents.get(token);
        }

        /**
         * Checks that a token was not resolved as not applied.
         *
         * @param what the change in words, for the message
         * @throws io.counterkit.NotAppliedException if it was resolved as not applied
         */
        public void checkNotVoid(IdempotencyToken token, String what) {
            TokenDocument document = get(token);
            if (document != null && document.isVoid()) {
                throw TokenDocument.voided(what);
            }
        }
    }

    boolean isOfAnotherPlace(DocumentSnapshot document) {
        return document.exists()
                && document.get(TokenDocument.PLACE) instanceof String place
                && !place.equals(schema.hashed().place());
    }

    /** Returns the fields of a token that is stored now and expires at {@code latest} at the latest. */
    Map<String, Object> fields(IdempotencyToken token, TokenDocument document, Instant latest) {
        Instant expiry = expiry();
        return document.toDocument(token, schema.hashed().place(), seconds(expiry.isBefore(latest) ? expiry : latest));
    }

    private static Timestamp seconds(Instant moment) {
        return Timestamp.ofTimeSecondsAndNanos(moment.getEpochSecond(), 0);
    }

    /** Returns when a token that is stored now expires, by the store's clock. */
    Instant expiry() {
        return schema.endOfRetention().plus(TokenRetention.MARGIN);
    }

    /** Creates a token document as part of a commit. */
    public void create(UpdateBuilder<?> commit, IdempotencyToken token, TokenDocument document) {
        Instant until = others.get(token);
        if (until == null || until.isBefore(schema.endOfRetention())) {
            commit.create(schema.hashed().token(token), fields(token, document, Instant.MAX));
        } else {
            commit.create(schema.hashed().secondToken(token), fields(token, document, until));
        }
    }

    /** Reads the documents of tokens, and prepares the creation of those that do not exist. */
    public CompletableFuture<Found> read(Collection<IdempotencyToken> tokens, Call call) {
        Map<IdempotencyToken, TokenDocument> documents = new HashMap<>();
        return DocumentReads.byKey(schema, call, tokens, schema.hashed()::token).thenCompose(first -> {
            Map<IdempotencyToken, DocumentSnapshot> elsewhere = new LinkedHashMap<>();
            first.forEach((token, document) -> {
                if (isOfAnotherPlace(document)) {
                    elsewhere.put(token, document);
                } else {
                    put(documents, token, document);
                }
            });
            return elsewhere.isEmpty()
                    ? CompletableFuture.completedFuture(new Found(documents, false))
                    : readSecond(elsewhere, documents, call);
        });
    }

    private CompletableFuture<Found> readSecond(
            Map<IdempotencyToken, DocumentSnapshot> first, Map<IdempotencyToken, TokenDocument> documents, Call call) {
        return DocumentReads.byKey(schema, call, first.keySet(), schema.hashed()::secondToken)
                .thenCompose(second -> {
                    second.forEach((token, document) -> put(documents, token, document));
                    List<IdempotencyToken> open = first.keySet().stream()
                            .filter(token -> !documents.containsKey(token))
                            .toList();
                    return Futures.inGroups(
                                    open,
                                    MOST_EXTENDED,
                                    token -> extend(token, Objects.requireNonNull(first.get(token)), call, 1))
                            .thenApply(done -> new Found(documents, !open.isEmpty()));
                });
    }

    private static void put(
            Map<IdempotencyToken, TokenDocument> documents, IdempotencyToken token, DocumentSnapshot stored) {
        TokenDocument document = TokenDocument.of(stored);
        if (document != null) {
            documents.put(token, document);
        }
    }

    /** Extends the expiry of another place's document, so that a second document may be created. */
    private CompletableFuture<Void> extend(IdempotencyToken token, DocumentSnapshot first, Call call, int attempts) {
        if (!isOfAnotherPlace(first)) {
            return CompletableFuture.completedFuture(null); // it has expired
        }
        Instant expires = TokenDocument.expires(first);
        if (!expires.isBefore(schema.endOfRetention())) {
            remember(token, expires);
            return CompletableFuture.completedFuture(null);
        }
        Instant extended = expiry();
        Precondition unchanged = Precondition.updatedAt(Objects.requireNonNull(first.getUpdateTime()));
        return Answer.orMissing(schema.client()
                        .commit(call, List.of(), () -> first.getReference().update(expiring(extended), unchanged)))
                .thenCompose(answer -> {
                    if (answer.isApplied()) {
                        remember(token, extended);
                        return CompletableFuture.completedFuture(null);
                    }
                    return schema.timers()
                            .afterPause(
                                    call,
                                    attempts,
                                    () -> schema.client()
                                            .read(call, first.getReference()::get)
                                            .thenCompose(now -> extend(token, now, call, attempts + 1)));
                });
    }

    static Map<String, Object> expiring(Instant at) {
        return Map.of(TokenDocument.EXPIRES, seconds(at));
    }

    private synchronized void remember(IdempotencyToken token, Instant until) {
        Instant known = others.get(token);
        if (known == null || until.isAfter(known)) {
            others.put(token, until);
        }
    }

    /** Resolves a token: creates its document as void, or returns the change in the document. */
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        return schema.clock().now() == null // an expiry needs the store's time, which a read shows
                ? read(List.of(token), call).thenCompose(found -> resolve(token, found.get(token), target, call))
                : voidOrRead(token, target, call);
    }

    private CompletableFuture<Resolution> resolve(
            IdempotencyToken token, @Nullable TokenDocument document, @Nullable ChangeTarget target, Call call) {
        return document == null
                ? voidOrRead(token, target, call)
                : CompletableFuture.completedFuture(document.resolution(target));
    }

    private CompletableFuture<Resolution> voidOrRead(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        return schema.client()
                .commit(call, List.of(), () -> {
                    WriteBatch batch = schema.firestore().batch();
                    create(batch, token, TokenDocument.of(TokenDocument.Kind.VOID, ""));
                    return batch.commit();
                })
                .thenCompose(answer -> answer.isApplied()
                        ? CompletableFuture.completedFuture(new Resolution.NotApplied())
                        : read(List.of(token), call).thenCompose(found -> {
                            if (found.documents().isEmpty() && !found.needsSecond()) {
                                throw new IllegalStateException("token document '"
                                        + schema.hashed().token(token).getPath()
                                        + "' existed and was deleted: keep tokens for their retention");
                            }
                            return resolve(token, found.get(token), target, call);
                        }));
    }
}
