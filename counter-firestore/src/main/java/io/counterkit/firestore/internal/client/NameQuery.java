package io.counterkit.firestore.internal.client;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.QuerySnapshot;
import io.counterkit.NamePage;
import io.counterkit.spi.Call;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Lists names by prefix, in the order of document ids. The cost of a page depends only on its size, and on how many
 * counters were absent when they were sealed.
 */
public final class NameQuery {
    private final FirestoreSchema schema;
    private final CollectionReference collection;
    private final String prefix;
    private final int limit;
    private final Call call;
    private final List<String> names = new ArrayList<>();

    public NameQuery(FirestoreSchema schema, CollectionReference collection, String prefix, int limit, Call call) {
        this.schema = schema;
        this.collection = collection;
        this.prefix = prefix;
        this.limit = limit;
        this.call = call;
    }

    /** Returns the page after the place that a name has or would have, or the first page. */
    public CompletableFuture<NamePage> page(@Nullable String after) {
        Limits.checkCursor(after);
        return collect(DocumentIds.startingWith(prefix), after == null ? null : DocumentIds.of(after));
    }

    private CompletableFuture<NamePage> collect(List<DocumentIds.Range> ranges, @Nullable String cursor) {
        if (ranges.isEmpty()) {
            return CompletableFuture.completedFuture(new NamePage(names, null));
        }
        DocumentIds.Range range = ranges.get(0);
        List<DocumentIds.Range> rest = ranges.subList(1, ranges.size());
        if (cursor != null && range.to() != null && DocumentIds.ORDER.compare(cursor, range.to()) >= 0) {
            return collect(rest, cursor);
        }
        int wanted = limit - names.size();
        return schema.client()
                .read(call, query(range, cursor).limit(wanted)::get)
                .thenCompose(found -> {
                    String last = take(found);
                    if (found.size() < wanted) {
                        return collect(rest, null);
                    }
                    return names.size() < limit // some documents are foreign, or of absent counters
                            ? collect(ranges, last)
                            : CompletableFuture.completedFuture(new NamePage(names, names.get(limit - 1)));
                });
    }

    private Query query(DocumentIds.Range range, @Nullable String cursor) {
        // Selects only the id, and the field that shows that a sealed counter was absent.
        Query query =
                collection.select(FieldPath.documentId(), CounterSeal.PRESENCE).orderBy(FieldPath.documentId());
        if (cursor != null && (range.from() == null || DocumentIds.ORDER.compare(cursor, range.from()) >= 0)) {
            query = query.startAfter(cursor);
        } else if (range.from() != null) {
            query = query.startAt(range.from());
        }
        return range.to() == null ? query : query.endBefore(range.to());
    }

    private @Nullable String take(QuerySnapshot found) {
        String last = null;
        for (QueryDocumentSnapshot document : found.getDocuments()) {
            last = document.getId();
            String name = DocumentIds.nameOf(last);
            if (name != null && name.startsWith(prefix) && !CounterSeal.isOfAbsent(document)) {
                names.add(name);
            }
        }
        return last;
    }
}
