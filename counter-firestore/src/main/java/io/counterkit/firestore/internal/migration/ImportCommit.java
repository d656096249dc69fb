package io.counterkit.firestore.internal.migration;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.internal.client.Answer;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.sequence.EntryDocument;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Futures;
import io.counterkit.spi.ImportedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Imports one name in one commit: the marker first, then its initial documents, each with a create that fails if the
 * document exists. Only one of several concurrent imports creates the marker. A concurrent first add or append creates
 * one of the same documents, so either it is applied after the import, or the import finds the name in use.
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
        this.marker = schema.hashed().importMarker(kind, name);
    }

    /** Imports the name and returns its base. Returns the earlier base if it was imported before. */
    CompletableFuture<ImportedState> send() {
        NotAppliedException refusal = kind == ChangeTarget.Kind.COUNTER ? schema.refusalOfName(name) : null;
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        return attempt(1).exceptionallyCompose(failure -> {
            Throwable cause = Futures.unwrap(failure);
            return CompletableFuture.failedFuture(
                    isSent ? cause : FirestoreErrors.notApplied("importing '" + name + "'", cause));
        });
    }

    /** Reads first, since most names are imported already. */
    private CompletableFuture<ImportedState> attempt(int attempts) {
        DocumentReference asked = marker;
        return DocumentReads.byKey(schema, call, documents(), document -> document)
                .thenCompose(found -> {
                    DocumentSnapshot stored = Objects.requireNonNull(found.get(asked));
                    DocumentReference second = schema.hashed().secondImportMarker(kind, name);
                    if (ImportMarker.isOfAnother(stored, kind, name) && !asked.equals(second)) {
                        marker = second;
                        return attempt(attempts);
                    }
                    ImportedState imported = ImportMarker.toBase(stored);
                    if (imported != null) {
                        return CompletableFuture.completedFuture(imported);
                    }
                    boolean isInUse = found.entrySet().stream()
                            .anyMatch(each -> !each.getKey().equals(asked)
                                    && each.getValue().exists());
                    if (isInUse && (!isSent || kind == ChangeTarget.Kind.SEQUENCE)) {
                        throw refusal();
                    }
                    isSent = true;
                    return Answer.orMissing(schema.client()
                                    .commit(
                                            call,
                                            List.of(name),
                                            () -> (isInUse ? refusing(stored) : importing(stored)).commit(),
                                            attempts))
                            .thenCompose(answer -> {
                                if (!answer.isApplied()) {
                                    return schema.timers().afterPause(call, attempts, () -> attempt(attempts + 1));
                                }
                                if (isInUse) {
                                    throw refusal();
                                }
                                return CompletableFuture.completedFuture(base);
                            });
                });
    }

    private NotAppliedException refusal() {
        return new NotAppliedException("importing '" + name + "' from " + base.origin() + ": a "
                + (kind == ChangeTarget.Kind.COUNTER ? "counter" : "sequence")
                + " of this name exists, which was not imported; delete it or import to another store");
    }

    /** Returns the marker, and documents of which at least one exists if the name is in use. */
    private List<DocumentReference> documents() {
        if (kind == ChangeTarget.Kind.SEQUENCE) {
            return List.of(marker, schema.entry(name, 1));
        }
        // A flat collection can hold the seal of a counter whose document is in another collection.
        return schema.layout().hasFlatShards()
                ? List.of(marker, schema.counter(name), schema.shard(name, 0), schema.sealedShard(name))
                : List.of(marker, schema.counter(name), schema.shard(name, 0));
    }

    /**
     * Ensures that no attempt that is still in flight is applied after the counter is deleted. A sequence in use
     * remains in use.
     */
    private WriteBatch refusing(DocumentSnapshot stored) {
        Map<String, Object> fields = ImportMarker.ofRefusal(kind, name);
        return write(stored, fields, fields);
    }

    /** Creates the marker, or replaces one that was read. */
    private WriteBatch write(DocumentSnapshot stored, Map<String, Object> created, Map<String, Object> updated) {
        WriteBatch batch = schema.firestore().batch();
        return stored.exists()
                ? batch.update(marker, updated, Precondition.updatedAt(Objects.requireNonNull(stored.getUpdateTime())))
                : batch.create(marker, created);
    }

    private WriteBatch importing(DocumentSnapshot stored) {
        Map<String, Object> fields = ImportMarker.of(kind, name, base);
        WriteBatch batch = write(stored, fields, ImportMarker.replacing(fields));
        if (kind == ChangeTarget.Kind.COUNTER ? !base.isPresent() : base.last() == 0) {
            // An absent name stays absent, but the commit fails if the name is in use now.
            DocumentReference first = kind == ChangeTarget.Kind.COUNTER ? schema.counter(name) : schema.entry(name, 1);
            return batch.create(first, Map.of()).delete(first);
        }
        if (kind == ChangeTarget.Kind.SEQUENCE) {
            return batch.create(schema.entry(name, 1), EntryDocument.ofBase(base))
                    .set(schema.sequence(name), Map.of(), SetOptions.merge());
        }
        FirestoreCounterOptions options = schema.options();
        batch.create(schema.counter(name), Map.of(schema.layout().shardCountField(), (long) options.shards()));
        List<Integer> shards = new ArrayList<>(List.of(0));
        for (int shard = 1; shard < options.shards() && options.seeding() == Seeding.AT_CREATION; shard++) {
            shards.add(shard);
        }
        shards.forEach(shard -> batch.create(
                schema.shard(name, shard), Map.of(schema.layout().countField(), shard == 0 ? base.value() : 0L)));
        return batch;
    }
}
