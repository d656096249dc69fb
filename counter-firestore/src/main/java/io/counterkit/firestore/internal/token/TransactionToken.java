package io.counterkit.firestore.internal.token;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Transaction;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A token in a transaction of the application, read before any write.
 *
 * @param document the document of the token; null if there is none
 * @param creation creates the document in the transaction
 */
public record TransactionToken(@Nullable TokenDocument document, Consumer<TokenDocument> creation) {
    /** Reads a token. */
    public static TransactionToken read(
            FirestoreSchema schema, TokenStore tokens, Transaction transaction, IdempotencyToken token)
            throws ExecutionException, InterruptedException {
        DocumentSnapshot first = read(schema, transaction, schema.hashed().token(token));
        if (!tokens.isOfAnotherPlace(first)) {
            return new TransactionToken(
                    TokenDocument.of(first),
                    document -> transaction.create(
                            schema.hashed().token(token), tokens.fields(token, document, Instant.MAX)));
        }
        TokenDocument second =
                TokenDocument.of(read(schema, transaction, schema.hashed().secondToken(token)));
        return new TransactionToken(second, document -> {
            Instant until = TokenDocument.expires(first);
            if (until.isBefore(schema.endOfRetention())) {
                until = tokens.expiry();
                transaction.update(first.getReference(), TokenStore.expiring(until));
            }
            transaction.create(schema.hashed().secondToken(token), tokens.fields(token, document, until));
        });
    }

    private static DocumentSnapshot read(FirestoreSchema schema, Transaction transaction, DocumentReference reference)
            throws ExecutionException, InterruptedException {
        return schema.clock().timed(() -> transaction.get(reference)).get();
    }
}
