package io.counterkit.firestore.internal.extension;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import com.google.cloud.firestore.QuerySnapshot;
import io.counterkit.firestore.ExtensionImportReport;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the documents of a collection: over all, or over those that have shards of the extension. Reads page by
 * page, and takes over each page before it reads the next one, so the memory use does not grow with the number of
 * documents.
 */
public final class ExtensionPass {
    private static final int MOST_DOCUMENTS = 300;
    private static final int MOST_SHARDS = 1_000;

    /** How many documents are taken over at once. Each uses a transaction and a thread. */
    private static final int AT_ONCE = 8;

    /** Sorts before all other ids. Google's clients use it to list the documents below a path. */
    private static final String LEAST_ID = "__id-9223372036854775808__";

    private final ExtensionSource source;
    private final BooleanSupplier isStopped;
    private final Findings findings = new Findings();

    /** @param isStopped whether to end after the current documents */
    public ExtensionPass(ExtensionSource source, BooleanSupplier isStopped) {
        this.source = source;
        this.isStopped = isStopped;
    }

    /** Takes over every document. */
    public CompletableFuture<ExtensionImportReport> overAll() {
        return orNotRead(page(null));
    }

    /** Takes over the documents that have shards, and those with the paths {@code others}. */
    public CompletableFuture<ExtensionImportReport> overChanged(Collection<String> others) {
        Set<String> rest = new LinkedHashSet<>(others);
        return orNotRead(
                withShards(shards().startAt(first()).endBefore(end()), rest).thenCompose(done -> imports(rest, false)));
    }

    private CompletableFuture<ExtensionImportReport> orNotRead(CompletableFuture<Void> pass) {
        return FirestoreErrors.orNotRead(
                "taking over '" + source.collection().getPath() + "'",
                pass.thenApply(done -> findings.report(source.fields())));
    }

    private DocumentReference first() {
        return document(source.collection().getPath() + "/" + LEAST_ID);
    }

    /** Returns a reference that sorts after all documents and their shards. */
    private DocumentReference end() {
        return document(source.collection().getPath() + "\0/" + LEAST_ID);
    }

    /** Returns a reference that sorts after a document and its shards, and before the next document. */
    private DocumentReference behind(QueryDocumentSnapshot document) {
        return document(document.getReference().getPath() + "\0");
    }

    private DocumentReference document(String path) {
        return source.schema().firestore().document(path);
    }

    private Query shards() {
        return source.schema()
                .firestore()
                .collectionGroup(ExtensionShard.COLLECTION)
                .orderBy(FieldPath.documentId());
    }

    /** Takes over a page of documents, the documents with shards up to its end, and then the next pages. */
    private CompletableFuture<Void> page(@Nullable QueryDocumentSnapshot after) {
        Query all = source.collection().orderBy(FieldPath.documentId()).limit(MOST_DOCUMENTS);
        return read(after == null ? all : all.startAfter(after)).thenCompose(page -> {
            Set<String> paths = new LinkedHashSet<>();
            QueryDocumentSnapshot last = null;
            for (QueryDocumentSnapshot document : page) {
                last = document;
                findings.fieldsOf(document.getData());
                paths.add(document.getReference().getPath());
            }
            QueryDocumentSnapshot next = page.size() < MOST_DOCUMENTS ? null : last;
            Query shards = shards().startAt(after == null ? first() : behind(after))
                    .endBefore(next == null ? end() : behind(next));
            return withShards(shards, paths)
                    .thenCompose(done -> imports(paths, false))
                    .thenCompose(done -> next == null || isStopped.getAsBoolean()
                            ? CompletableFuture.completedFuture(null)
                            : page(next));
        });
    }

    /**
     * Takes over the documents with shards, page by page of a query over all collections with the name of the shards,
     * and removes them from {@code others}. A document may have shards and not exist.
     */
    private CompletableFuture<Void> withShards(Query shards, Set<String> others) {
        return withShards(shards, others, null, null);
    }

    private CompletableFuture<Void> withShards(
            Query shards, Set<String> others, @Nullable DocumentReference after, @Nullable String takenOver) {
        Query page = after == null ? shards : shards.startAfter(after);
        return read(page.select(FieldPath.documentId()).limit(MOST_SHARDS)).thenCompose(found -> {
            Set<String> paths = new LinkedHashSet<>();
            DocumentReference last = null;
            String lastPath = takenOver;
            for (QueryDocumentSnapshot shard : found) {
                last = shard.getReference();
                DocumentReference document = last.getParent().getParent();
                if (document != null && document.getParent().equals(source.collection())) {
                    lastPath = document.getPath();
                    paths.add(lastPath);
                }
            }
            others.removeAll(paths);
            paths.remove(takenOver); // its shards fill more than a page, and were all drained
            DocumentReference next = found.size() < MOST_SHARDS ? null : last;
            String lastTaken = lastPath;
            return imports(paths, true)
                    .thenCompose(done -> next == null || isStopped.getAsBoolean()
                            ? CompletableFuture.completedFuture(null)
                            : withShards(shards, others, next, lastTaken));
        });
    }

    private CompletableFuture<Void> imports(Collection<String> paths, boolean mayHaveShards) {
        findings.documents(paths.size());
        return Futures.inGroups(
                        List.copyOf(paths),
                        AT_ONCE,
                        path -> isStopped.getAsBoolean()
                                ? CompletableFuture.<Void>completedFuture(null)
                                : new DocumentImport(source, document(path), findings).run(mayHaveShards))
                .thenApply(done -> null);
    }

    private CompletableFuture<QuerySnapshot> read(Query query) {
        Call call = source.schema().ownCall();
        return source.schema().client().read(call, query::get);
    }
}
