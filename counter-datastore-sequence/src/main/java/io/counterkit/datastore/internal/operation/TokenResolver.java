package io.counterkit.datastore.internal.operation;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.client.WritePlan;
import io.counterkit.datastore.internal.schema.TokenFormat;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides the outcome of a change by its token. The first to create the entity of a token wins: the change, or a
 * resolution that does not find it. A change that arrives later fails on the entity.
 *
 * @param target where the change was sent; null for a caller's token
 */
public record TokenResolver(
        DatastoreContext context,
        IdempotencyToken token,
        @Nullable ChangeTarget target,
        Call call) {
    /** Returns the resolution, or fails with a {@link io.counterkit.NotAppliedException} if nothing was decided. */
    public CompletableFuture<Resolution> resolve() {
        return context.run(() -> context.reading(token.value(), call).runInTransaction(this::plan));
    }

    private WritePlan<Resolution> plan(Transaction transaction) {
        Key key = context.keys().token(token);
        Entity stored = context.client().get(transaction, List.of(key), call).get(key);
        if (stored != null) {
            return WritePlan.nothing(TokenFormat.read(stored).resolution(target));
        }
        Entity voided = TokenFormat.entity(context.keys(), token, new TokenNote.Voided(), context.expires());
        return WritePlan.puts(List.of(voided), new Resolution.NotApplied());
    }
}
