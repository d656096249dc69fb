package io.counterkit.firestore.internal.token;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.Transaction;
import com.google.cloud.firestore.UpdateBuilder;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.firestore.internal.client.CommitRetrier;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.Futures;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What tokens stand for in the place of this configuration, of which a database may have several that share one
 * collection of tokens. A token has two documents at most that concern a place:
 *
 * <ul>
 *   <li>The <em>first</em> one is the same for all places. It says to which place it belongs; one of a version that did
 *       not write that belongs to every place. A commit creates it, so of all commits with the token one is first, and
 *       versions that know nothing of places exclude each other and this one.
 *   <li>The <em>second</em> one is of this place alone. A commit creates it instead if the first one is another place's.
 * </ul>
 *
 * <p>The second one counts for as long as the first one stays: without it a commit would create the first one again. So
 * before the second one is created, the first one is made to expire no earlier. It then is another place's until the
 * second one has expired, since nothing but its expiry removes it and nothing changes the place: each commit of this
 * place finds the first one, and after it the second.
 */
public final class TokenStore {
    /** With the longest tokens some 10 MB. Beyond that all are forgotten, and looked for again. */
    private static final int MOST_REMEMBERED = 10_000;

    /** How many documents are made to stay at once: a channel carries a hundred calls. */
    private static final int MOST_KEPT = 50;

    private final FirestoreSchema schema;

    /** Tokens whose first document is another place's, and until when it surely is: a fact, which cannot be out of date. */
    private final Map<IdempotencyToken, Instant> others = new ConcurrentHashMap<>();

    public TokenStore(FirestoreSchema schema) {
        this.schema = schema;
    }

    /**
     * What was found.
     *
     * @param markers of this place, of those tokens that have one
     * @param isMoved whether a marker that is not there goes to another document than was known before
     */
    public record Found(Map<IdempotencyToken, TokenDocument> markers, boolean isMoved) {
        @Nullable public TokenDocument get(IdempotencyToken token) {
            return markers.get(token);
        }

        /** Whether sending the commit again may come to something else. */
        boolean isNews() {
            return isMoved || !markers.isEmpty();
        }
    }

    /** Whether it is the document of a configuration that stores elsewhere. */
    private boolean isOfAnotherPlace(DocumentSnapshot document) {
        return document.exists()
                && document.get(TokenDocument.PLACE) instanceof String place
                && !place.equals(schema.place());
    }

    /** Returns what is stored for a token now, which expires at {@code latest} at the latest. */
    private Map<String, Object> document(IdempotencyToken token, TokenDocument marker, Instant latest) {
        Instant expiry = expiry();
        Instant expires = expiry.isBefore(latest) ? expiry : latest;
        return marker.toDocument(token, schema.place(), Timestamp.ofTimeSecondsAndNanos(expires.getEpochSecond(), 0));
    }

    /** When the document of a token that is stored now expires, by the store's clock. */
    private Instant expiry() {
        return schema.forgottenAt().plus(TokenRetention.MARGIN);
    }

    /** Creates the marker as part of a commit. */
    public void create(UpdateBuilder<?> commit, IdempotencyToken token, TokenDocument marker) {
        Instant until = others.get(token);
        if (until == null || until.isBefore(schema.forgottenAt())) {
            commit.create(schema.marker(token), document(token, marker, Instant.MAX));
        } else {
            commit.create(schema.secondMarker(token), document(token, marker, until));
        }
    }

    /** Reads the markers of those tokens that have one, and prepares that the others are created. */
    public CompletableFuture<Found> read(Collection<IdempotencyToken> tokens, Call call) {
        if (tokens.isEmpty()) {
            return CompletableFuture.completedFuture(new Found(Map.of(), false));
        }
        Map<IdempotencyToken, TokenDocument> markers = new HashMap<>();
        return documents(tokens, schema::marker, call).thenCompose(first -> {
            Map<IdempotencyToken, DocumentSnapshot> elsewhere = new LinkedHashMap<>();
            first.forEach((token, document) -> {
                if (isOfAnotherPlace(document)) {
                    elsewhere.put(token, document);
                } else {
                    put(markers, token, document);
                }
            });
            return elsewhere.isEmpty()
                    ? CompletableFuture.completedFuture(new Found(markers, false))
                    : readSecond(elsewhere, markers, call);
        });
    }

    private CompletableFuture<Found> readSecond(
            Map<IdempotencyToken, DocumentSnapshot> first, Map<IdempotencyToken, TokenDocument> markers, Call call) {
        return documents(first.keySet(), schema::secondMarker, call).thenCompose(second -> {
            second.forEach((token, document) -> put(markers, token, document));
            List<Map.Entry<IdempotencyToken, DocumentSnapshot>> open = first.entrySet().stream()
                    .filter(document -> !markers.containsKey(document.getKey()))
                    .toList();
            return Futures.inTurns(open, MOST_KEPT, each -> keep(each.getKey(), each.getValue(), call, 0))
                    .thenApply(done -> new Found(markers, !open.isEmpty()));
        });
    }

    private static void put(
            Map<IdempotencyToken, TokenDocument> markers, IdempotencyToken token, DocumentSnapshot document) {
        TokenDocument marker = TokenDocument.of(document);
        if (marker != null) {
            markers.put(token, marker);
        }
    }

    /** Lets another place's document stay for as long as a second one may be needed. */
    private CompletableFuture<Void> keep(IdempotencyToken token, DocumentSnapshot first, Call call, int rivals) {
        if (!isOfAnotherPlace(first)) {
            return CompletableFuture.completedFuture(null); // it has expired, and may be ours by now
        }
        Instant expires = TokenDocument.expires(first);
        if (!expires.isBefore(schema.forgottenAt())) {
            remember(token, expires);
            return CompletableFuture.completedFuture(null);
        }
        Instant longer = expiry();
        Precondition unchanged = Precondition.updatedAt(Objects.requireNonNull(first.getUpdateTime()));
        return schema.sender()
                .send(call, List.of(), () -> first.getReference().update(expiring(longer), unchanged))
                .thenApply(CommitRetrier.Answer::isApplied)
                .exceptionallyCompose(failure -> FirestoreErrors.isOvertaken(failure)
                        ? CompletableFuture.completedFuture(false)
                        : CompletableFuture.failedFuture(FirestoreErrors.unwrapped(failure)))
                .thenCompose(applied -> {
                    if (applied) {
                        remember(token, longer);
                        return CompletableFuture.completedFuture(null);
                    }
                    return schema.requests()
                            .afterPause(
                                    call,
                                    rivals,
                                    () -> schema.sender()
                                            .ask(call, first.getReference()::get)
                                            .thenCompose(now -> keep(token, now, call, rivals + 1)));
                });
    }

    private static Map<String, Object> expiring(Instant at) {
        return Map.of(TokenDocument.EXPIRES, Timestamp.ofTimeSecondsAndNanos(at.getEpochSecond(), 0));
    }

    private void remember(IdempotencyToken token, Instant until) {
        if (others.size() >= MOST_REMEMBERED) {
            others.clear();
        }
        others.merge(token, until, (one, other) -> one.isAfter(other) ? one : other);
    }

    private CompletableFuture<Map<IdempotencyToken, DocumentSnapshot>> documents(
            Collection<IdempotencyToken> tokens, Function<IdempotencyToken, DocumentReference> referenceOf, Call call) {
        List<IdempotencyToken> asked = List.copyOf(tokens);
        DocumentReference[] references = asked.stream().map(referenceOf).toArray(DocumentReference[]::new);
        return schema.sender()
                .ask(call, () -> schema.firestore().getAll(references))
                .thenApply(documents -> {
                    Map<IdempotencyToken, DocumentSnapshot> found = new LinkedHashMap<>();
                    for (int i = 0; i < references.length; i++) {
                        found.put(asked.get(i), documents.get(i));
                    }
                    return found;
                });
    }

    /**
     * The marker in a transaction of the caller's, before anything is written: the marker, or else the way to create one.
     */
    public InTransaction read(Transaction transaction, IdempotencyToken token)
            throws ExecutionException, InterruptedException {
        DocumentSnapshot first = readIn(transaction, schema.marker(token));
        if (!isOfAnotherPlace(first)) {
            return new InTransaction(
                    TokenDocument.of(first),
                    marker -> transaction.create(schema.marker(token), document(token, marker, Instant.MAX)));
        }
        TokenDocument second = TokenDocument.of(readIn(transaction, schema.secondMarker(token)));
        return new InTransaction(second, marker -> {
            Instant until = TokenDocument.expires(first);
            if (until.isBefore(schema.forgottenAt())) {
                until = expiry();
                transaction.update(first.getReference(), expiring(until));
            }
            transaction.create(schema.secondMarker(token), document(token, marker, until));
        });
    }

    private DocumentSnapshot readIn(Transaction transaction, DocumentReference reference)
            throws ExecutionException, InterruptedException {
        long asked = System.nanoTime();
        DocumentSnapshot document = transaction.get(reference).get();
        schema.clock().noteAnswer(document, asked);
        return document;
    }

    /**
     * A token as a transaction sees it.
     *
     * @param marker null if there is none
     * @param creation creates it then
     */
    public record InTransaction(@Nullable TokenDocument marker, Consumer<TokenDocument> creation) {}

    /** Decides: creates the marker as void, or else tells what it stands for. */
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        return schema.clock().now() == null // nothing has been asked yet
                ? read(List.of(token), call).thenCompose(found -> decide(token, found.get(token), origin, call))
                : voidOrRead(token, origin, call);
    }

    private CompletableFuture<Resolution> decide(
            IdempotencyToken token, @Nullable TokenDocument marker, @Nullable ChangeTarget origin, Call call) {
        return marker == null
                ? voidOrRead(token, origin, call)
                : CompletableFuture.completedFuture(marker.resolution(origin));
    }

    private CompletableFuture<Resolution> voidOrRead(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
        return schema.sender()
                .send(call, List.of(), () -> {
                    WriteBatch batch = schema.firestore().batch();
                    create(batch, token, TokenDocument.of(TokenDocument.Kind.VOID, ""));
                    return batch.commit();
                })
                .thenCompose(answer -> answer.isApplied()
                        ? CompletableFuture.completedFuture(new Resolution.NotApplied())
                        : read(List.of(token), call).thenCompose(found -> {
                            if (!found.isNews()) {
                                throw new IllegalStateException("token document '"
                                        + schema.marker(token).getPath()
                                        + "' was there and is gone: tokens must stay for their retention");
                            }
                            return decide(token, found.get(token), origin, call);
                        }));
    }
}
