package io.counterkit.datastore.internal.operation;

import io.counterkit.NamePage;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.datastore.internal.store.RetryLoop;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Lists the names that are present, in key order. The list may be outdated if indexes lag. */
record ChainListing(DatastoreContext context) {
    CompletableFuture<NamePage> page(
            ChangeTarget.Kind kind, String prefix, @Nullable String cursor, int limit, Call call) {
        Limits.checkCursor(cursor);
        RetryLoop loop = context.loop("listing names under '" + prefix + "'", List.of(), call, null);
        return context.run(() -> loop.run(() -> {
            List<StoreEntity> found = context.client().query(context.keys().names(kind, prefix, cursor), limit, call);
            List<String> all = found.stream()
                    .map(entity -> DatastoreKeys.nameOf(entity.key()))
                    .toList();
            List<String> names =
                    all.stream().filter(name -> name.startsWith(prefix)).toList();
            return new NamePage(names, all.size() < limit ? null : all.get(all.size() - 1));
        }));
    }
}
