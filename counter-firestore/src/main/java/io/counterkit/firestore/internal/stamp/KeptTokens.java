package io.counterkit.firestore.internal.stamp;

import com.google.cloud.firestore.QuerySnapshot;
import com.google.cloud.firestore.Transaction;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The tokens of the stamps in the shards that an operation deletes. The same transaction creates their token documents,
 * so that their outcome stays known.
 *
 * <p>A token document may exist already, if the shards were deleted before and then restored from a backup without the
 * tokens. It states the same as the stamp, so it is kept.
 */
public final class KeptTokens {
    private final TokenStore tokens;
    private volatile List<IdempotencyToken> stamped = List.of();
    private volatile Set<IdempotencyToken> present = Set.of();

    public KeptTokens(TokenStore tokens) {
        this.tokens = tokens;
    }

    /** Creates the token documents that are not known to exist, as part of a transaction that deletes the shards. */
    public void create(Transaction transaction, QuerySnapshot shards) {
        TokenDocument applied = TokenDocument.of(TokenDocument.Kind.ADDS, "");
        stamped = shards.getDocuments().stream()
                .flatMap(shard -> Stamps.of(shard).kept(shards.getReadTime()).stream())
                .map(id -> IdempotencyToken.of(Commit.TOKEN_PREFIX + id))
                .distinct()
                .toList();
        stamped.stream()
                .filter(token -> !present.contains(token))
                .forEach(token -> tokens.create(transaction, token, applied));
    }

    /**
     * Looks for token documents of the last attempt, which has failed because a document exists. Returns whether
     * another attempt would create fewer or other documents.
     */
    public CompletableFuture<Boolean> findMore(Call call) {
        return tokens.read(stamped, call).thenApply(found -> {
            boolean hasMore = !present.containsAll(found.documents().keySet());
            present = new HashSet<>(found.documents().keySet());
            return hasMore || found.needsSecond();
        });
    }
}
