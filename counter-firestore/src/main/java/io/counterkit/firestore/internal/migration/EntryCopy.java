package io.counterkit.firestore.internal.migration;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldMask;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.Entry;
import io.counterkit.firestore.internal.client.CommitRetrier;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.sequence.EntryDocument;
import io.counterkit.spi.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Copies entries from before an import, each as a unique create, so that one that is there, perhaps erased by now, stays
 * as it is. Entry 1 goes into the document that tells of the import, unless somebody has changed that since it was read.
 */
final class EntryCopy {
    /** With the largest entries 3.2 MiB: a third of what a commit may have. */
    static final int MOST_ENTRIES = 100;

    private final FirestoreSchema schema;
    private final String sequence;
    private final List<Entry> entries;
    private final Call call;
    private final Map<Long, DocumentSnapshot> seen = new HashMap<>();
    private boolean isSent;

    EntryCopy(FirestoreSchema schema, String sequence, List<Entry> entries, Call call) {
        this.schema = schema;
        this.sequence = sequence;
        this.entries = entries;
        this.call = call;
    }

    /** Whether an attempt may have been applied. */
    boolean isSent() {
        return isSent;
    }

    /** Looks what is there only where that is needed: copying finds nothing unless others copy too. */
    CompletableFuture<Void> send() {
        return entries.stream().anyMatch(entry -> entry.number() == 1) ? look(0) : write(entries, 0);
    }

    private CompletableFuture<Void> look(int rivals) {
        DocumentReference[] references = entries.stream()
                .map(entry -> schema.entry(sequence, entry.number()))
                .toArray(DocumentReference[]::new);
        FieldMask number = FieldMask.of(EntryDocument.NUMBER);
        return schema.sender()
                .ask(call, () -> schema.firestore().getAll(references, number))
                .thenCompose(documents -> {
                    List<Entry> missing = new ArrayList<>();
                    for (int i = 0; i < references.length; i++) {
                        if (!documents.get(i).contains(EntryDocument.NUMBER)) {
                            missing.add(entries.get(i));
                            seen.put(entries.get(i).number(), documents.get(i));
                        }
                    }
                    return write(missing, rivals);
                });
    }

    private CompletableFuture<Void> write(List<Entry> missing, int rivals) {
        if (missing.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        isSent = true;
        return schema.sender()
                .send(call, List.of(sequence), () -> batch(missing).commit())
                .thenApply(CommitRetrier.Answer::isApplied)
                .exceptionallyCompose(failure -> FirestoreErrors.isOvertaken(failure)
                        ? CompletableFuture.completedFuture(false)
                        : CompletableFuture.failedFuture(FirestoreErrors.unwrapped(failure)))
                .thenCompose(applied -> applied
                        ? CompletableFuture.completedFuture(null)
                        : schema.requests().afterPause(call, rivals, () -> look(rivals + 1)));
    }

    private WriteBatch batch(List<Entry> missing) {
        WriteBatch batch = schema.firestore().batch();
        for (Entry entry : missing) {
            DocumentReference document = schema.entry(sequence, entry.number());
            if (entry.number() == 1) {
                DocumentSnapshot base = Objects.requireNonNull(seen.get(1L));
                Precondition unchanged = Precondition.updatedAt(Objects.requireNonNull(base.getUpdateTime()));
                batch.update(document, EntryDocument.copyOf(entry), unchanged);
            } else {
                batch.create(document, EntryDocument.copyOf(entry));
            }
        }
        return batch;
    }
}
