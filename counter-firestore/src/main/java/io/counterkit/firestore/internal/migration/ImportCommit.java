package io.counterkit.firestore.internal.migration;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.sequence.EntryDocument;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Imports one name in one commit: the marker first, then what the name begins with, each document as a unique create.
 * Of any number of importers one creates the marker. Whoever adds or appends first meanwhile wants to create one of the
 * same documents, so either he finds the import and goes on from there, or the import finds the name in use.
 */
final class ImportCommit {
    private final FirestoreSchema schema;
    private final ChangeTarget.Kind kind;
    private final String name;
    private final ImportedState base;
    private final Call call;
    private DocumentReference marker;
    private boolean isSent;

    ImportCommit(FirestoreSchema schema, ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
        this.schema = schema;
        this.kind = kind;
        this.name = name;
        this.base = base;
        this.call = call;
        this.marker = schema.importMarker(kind, name);
    }

    /** The base that the name began with. */
    CompletableFuture<ImportedState> send() {
        return attempt(0).exceptionallyCompose(failure -> {
            Throwable cause = FirestoreErrors.unwrapped(failure);
            return CompletableFuture.failedFuture(
                    isSent ? cause : FirestoreErrors.notApplied("importing '" + name + "'", cause));
        });
    }

    /** Looks first: that it is imported already is what most callers find. */
    private CompletableFuture<ImportedState> attempt(int rivals) {
        DocumentReference[] documents = documents();
        return schema.sender()
                .ask(call, () -> schema.firestore().getAll(documents))
                .thenCompose(found -> {
                    DocumentReference second = schema.secondImportMarker(kind, name);
                    if (ImportMarker.isOfAnother(found.get(0), kind, name) && !marker.equals(second)) {
                        marker = second;
                        return attempt(rivals);
                    }
                    ImportedState imported = ImportMarker.toBase(found.get(0));
                    if (imported != null) {
                        return CompletableFuture.completedFuture(imported);
                    }
                    if (found.stream().anyMatch(DocumentSnapshot::exists)) {
                        throw new NotAppliedException("importing '" + name + "' from " + base.origin()
                                + ": there is such a " + (kind == ChangeTarget.Kind.COUNTER ? "counter" : "sequence")
                                + " already, which was not imported; delete it or import to another store");
                    }
                    isSent = true;
                    return schema.sender()
                            .send(call, List.of(name), () -> batch().commit())
                            .thenCompose(answer -> answer.isApplied()
                                    ? CompletableFuture.completedFuture(base)
                                    : schema.requests().afterPause(call, rivals, () -> attempt(rivals + 1)));
                });
    }

    /** The marker, and the documents of which one is there if the name is in use. */
    private DocumentReference[] documents() {
        return kind == ChangeTarget.Kind.COUNTER
                ? new DocumentReference[] {marker, schema.counter(name), schema.shard(name, 0)}
                : new DocumentReference[] {marker, schema.entry(name, 1)};
    }

    private WriteBatch batch() {
        WriteBatch batch = schema.firestore().batch().create(marker, ImportMarker.of(kind, name, base));
        if (kind == ChangeTarget.Kind.COUNTER ? !base.isPresent() : base.last() == 0) {
            return batch; // an absent name stays absent, and its next number is 1 anyway
        }
        if (kind == ChangeTarget.Kind.SEQUENCE) {
            return batch.create(schema.entry(name, 1), EntryDocument.ofBase(base))
                    .set(schema.sequence(name), Map.of(), SetOptions.merge());
        }
        FirestoreCounterOptions options = schema.options();
        batch.create(schema.counter(name), Map.of(options.shardCountField(), (long) options.shards()));
        List<Integer> shards = new ArrayList<>(List.of(0));
        for (int shard = 1; shard < options.shards() && options.seeding() == Seeding.AT_CREATION; shard++) {
            shards.add(shard);
        }
        shards.forEach(shard ->
                batch.create(schema.shard(name, shard), Map.of(options.countField(), shard == 0 ? base.value() : 0L)));
        return batch;
    }
}
