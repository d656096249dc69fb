package io.counterkit.firestore.internal.extension;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.QuerySnapshot;
import io.counterkit.CountersListener;
import io.counterkit.firestore.ExtensionImportReport;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One pass over the documents of a collection: all of them, or those that have shards of the extension. */
public final class ExtensionPass {
    private static final int MOST_DOCUMENTS = 300;
    private static final int MOST_SHARDS = 1_000;

    /** The documents at once. Each has a transaction, with a thread. */
    private static final int AT_ONCE = 8;

    /** Sorts before all other ids, as Google's own clients use it to list what is below a path. */
    private static final String LEAST_ID = "__id-9223372036854775808__";

    private final ExtensionSource source;
    private final Findings findings = new Findings();
    private final Set<String> withShards = new LinkedHashSet<>();

    public ExtensionPass(ExtensionSource source) {
        this.source = source;
    }

    /** Takes over every document. */
    public CompletableFuture<ExtensionImportReport> overAll() {
        return orNotRead(
                findShards(null).thenCompose(found -> page(null)).thenCompose(done -> imports(withShards, true)));
    }

    /** Takes over the documents that have shards, and some others by their paths. */
    public CompletableFuture<ExtensionImportReport> overChanged(Collection<String> others) {
        return orNotRead(findShards(null).thenCompose(found -> {
            Set<String> rest = new LinkedHashSet<>(others);
            rest.removeAll(withShards);
            return imports(withShards, true).thenCompose(done -> imports(rest, false));
        }));
    }

    private CompletableFuture<ExtensionImportReport> orNotRead(CompletableFuture<Void> pass) {
        return FirestoreErrors.orNotRead(
                "taking over '" + source.collection().getPath() + "'",
                pass.thenApply(done -> findings.report(source.fields())));
    }

    /** Finds the documents with shards, by pages of a query over all collections with the shards' name. */
    private CompletableFuture<Void> findShards(@Nullable DocumentReference after) {
        return read(shardsAfter(after)).thenCompose(page -> {
            DocumentReference last = null;
            for (QueryDocumentSnapshot shard : page) {
                last = shard.getReference();
                DocumentReference document = last.getParent().getParent();
                if (document != null && document.getParent().equals(source.collection())) {
                    withShards.add(document.getPath());
                }
            }
            return page.size() < MOST_SHARDS ? CompletableFuture.completedFuture(null) : findShards(last);
        });
    }

    private Query shardsAfter(@Nullable DocumentReference after) {
        String path = source.collection().getPath();
        Query all = source.schema()
                .firestore()
                .collectionGroup(ExtensionShard.COLLECTION)
                .orderBy(FieldPath.documentId());
        Query rest = after == null
                ? all.startAt(source.schema().firestore().document(path + "/" + LEAST_ID))
                : all.startAfter(after);
        return rest.endBefore(source.schema().firestore().document(path + "\0/" + LEAST_ID))
                .select(FieldPath.documentId())
                .limit(MOST_SHARDS);
    }

    /** Takes over a page of the documents and all after it, except those with shards. */
    private CompletableFuture<Void> page(@Nullable QueryDocumentSnapshot after) {
        Query all = source.collection().orderBy(FieldPath.documentId()).limit(MOST_DOCUMENTS);
        return read(after == null ? all : all.startAfter(after)).thenCompose(page -> {
            Set<String> paths = new LinkedHashSet<>();
            QueryDocumentSnapshot last = null;
            for (QueryDocumentSnapshot document : page) {
                last = document;
                findings.fieldsOf(document.getData());
                if (!withShards.contains(document.getReference().getPath())) {
                    paths.add(document.getReference().getPath());
                }
            }
            QueryDocumentSnapshot next = page.size() < MOST_DOCUMENTS ? null : last;
            findings.documents(paths.size());
            return each(paths, false)
                    .thenCompose(done -> next == null ? CompletableFuture.completedFuture(null) : page(next));
        });
    }

    private CompletableFuture<Void> imports(Collection<String> paths, boolean mayHaveShards) {
        findings.documents(paths.size());
        return each(paths, mayHaveShards);
    }

    private CompletableFuture<Void> each(Collection<String> paths, boolean mayHaveShards) {
        return Futures.inGroups(
                        List.copyOf(paths),
                        AT_ONCE,
                        path -> new DocumentImport(
                                        source, source.schema().firestore().document(path), findings)
                                .run(mayHaveShards))
                .thenApply(done -> null);
    }

    private CompletableFuture<QuerySnapshot> read(Query query) {
        Call call = new Call(source.schema().options().deadline(), CountersListener.disabled());
        return source.schema().client().read(call, query::get);
    }
}
