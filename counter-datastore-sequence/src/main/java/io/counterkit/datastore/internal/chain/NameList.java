package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import io.counterkit.NamePage;
import io.counterkit.datastore.internal.client.DatastoreClient;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists the names that are present, in key order. The query may lag behind, as the store's indexes do. */
public record NameList(DatastoreClient store, DatastoreSchema schema) {
    public NamePage page(ChangeTarget.Kind kind, String prefix, @Nullable String cursor, int limit, Call call) {
        List<Entity> found = store.query(schema.names(kind, prefix, cursor), limit, call);
        List<String> all =
                found.stream().map(entity -> schema.name(entity.getKey())).toList();
        List<String> names =
                all.stream().filter(name -> name.startsWith(prefix)).toList();
        return new NamePage(names, all.size() < limit ? null : all.get(all.size() - 1));
    }
}
