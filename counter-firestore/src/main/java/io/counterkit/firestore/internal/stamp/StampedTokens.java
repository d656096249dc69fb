package io.counterkit.firestore.internal.stamp;

import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.firestore.internal.client.Answer;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the tokens of commits with stamps, with any write strategy of this process. {@link KeptTokens} keeps their
 * outcome when the shards are deleted.
 *
 * <p>The stamp of a commit and the token document of its token exclude each other. A commit with a stamp is applied
 * only while its shard has a particular update time. Its writer creates the token document only if the shard has
 * another update time and no stamp. A resolution creates the document, as void, in the same case, or in the commit that
 * changes the update time.
 */
public record StampedTokens(FirestoreSchema schema, TokenStore tokens) {
    /** Resolves a token. A token without a mark is resolved by {@link TokenStore#resolve}. */
    public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
        String mark = Commit.markOf(token);
        if (mark == null) {
            return tokens.resolve(token, target, call);
        }
        if (target == null) {
            throw new IllegalArgumentException(
                    "token " + token + " was generated for a commit: pass the counter that the commit changed");
        }
        if (mark.equals(StampPlace.APPLIED)) {
            return CompletableFuture.completedFuture(new Resolution.Done(target.name()));
        }
        if (mark.equals(StampPlace.LOST)) {
            throw new IllegalStateException("token " + token
                    + " cannot be resolved: other software has removed the field '" + Stamps.FIELD + "' of the shard");
        }
        StampPlace place = StampPlace.of(token, target.name());
        if (place == null) {
            throw new IllegalArgumentException("token " + token + " has a mark '" + mark
                    + "' of another version: resolve it with the version that generated it, or a newer one");
        }
        return resolve(token, place, target, call, 1);
    }

    private CompletableFuture<Resolution> resolve(
            IdempotencyToken token, StampPlace place, ChangeTarget target, Call call, int attempts) {
        return schema.client().read(call, place.document(schema)::get).thenCompose(shard -> {
            if (Stamps.of(shard).contains(idOf(token))) {
                return CompletableFuture.completedFuture(new Resolution.Done(target.name()));
            }
            if (!place.before().equals(shard.getUpdateTime())) {
                return tokens.resolve(token, target, call);
            }
            return tokens.read(List.of(token), call).thenCompose(found -> {
                TokenDocument document = found.get(token);
                return document == null
                        ? prevent(token, place, target, call, attempts)
                        : CompletableFuture.completedFuture(document.resolution(target));
            });
        });
    }

    /** Changes the update time of the shard and voids the token, unless the commit is applied first. */
    private CompletableFuture<Resolution> prevent(
            IdempotencyToken token, StampPlace place, ChangeTarget target, Call call, int attempts) {
        return Answer.orMissing(schema.client().commit(call, List.of(place.counter()), () -> {
                    WriteBatch batch = schema.firestore().batch();
                    tokens.create(batch, token, TokenDocument.of(TokenDocument.Kind.VOID, ""));
                    batch.update(place.document(schema), Stamps.touching(), Precondition.updatedAt(place.before()));
                    return batch.commit();
                }))
                .thenCompose(answer -> answer.isApplied()
                        ? CompletableFuture.completedFuture(new Resolution.NotApplied())
                        : schema.timers()
                                .afterPause(call, attempts, () -> resolve(token, place, target, call, attempts + 1)));
    }

    private static String idOf(IdempotencyToken token) {
        return Commit.withoutMark(token).value().substring(Commit.TOKEN_PREFIX.length());
    }
}
