package io.counterkit.firestore.internal.migration;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldMask;
import com.google.cloud.firestore.Precondition;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.Entry;
import io.counterkit.firestore.internal.client.Answer;
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
 * Copies entries from before an import, each with a create that fails if the document exists, so that an entry that
 * exists, perhaps erased, is not changed. Entry 1 is written into the document that holds the import's base, unless
 * that has changed since it was read.
 */
final class EntryCopy {
    /** At most 3.2 MiB, a third of the maximum size of a commit. */
    static final int MOST_ENTRIES = 100;

    private final FirestoreSchema schema;
    private final String sequence;
    private final List<Entry> entries;
    private final Call call;
    private final Map<Long, DocumentSnapshot> found = new HashMap<>();
    private boolean isSent;

    EntryCopy(FirestoreSchema schema, String sequence, List<Entry> entries, Call call) {
        this.schema = schema;
        this.sequence = sequence;
        this.entries = entries;
        this.call = call;
    }

    /** Returns whether an attempt may have been applied. */
    boolean isSent() {
        return isSent;
    }

    /** Copies the entries. Reads existing ones only if necessary: there are none unless other processes copy too. */
    CompletableFuture<Void> send() {
        return entries.stream().anyMatch(entry -> entry.number() == 1) ? readAndWrite(1) : write(entries, 1);
    }

    private CompletableFuture<Void> readAndWrite(int attempts) {
        DocumentReference[] references = entries.stream()
                .map(entry -> schema.entry(sequence, entry.number()))
                .toArray(DocumentReference[]::new);
        FieldMask number = FieldMask.of(EntryDocument.NUMBER);
        return schema.client()
                .read(call, () -> schema.firestore().getAll(references, number))
                .thenCompose(documents -> {
                    List<Entry> missing = new ArrayList<>();
                    for (int i = 0; i < references.length; i++) {
                        if (!documents.get(i).contains(EntryDocument.NUMBER)) {
                            missing.add(entries.get(i));
                            found.put(entries.get(i).number(), documents.get(i));
                        }
                    }
                    return write(missing, attempts);
                });
    }

    private CompletableFuture<Void> write(List<Entry> missing, int attempts) {
        if (missing.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        isSent = true;
        return Answer.orMissing(schema.client()
                        .commit(call, List.of(sequence), () -> batch(missing).commit(), attempts))
                .thenCompose(answer -> answer.isApplied()
                        ? CompletableFuture.completedFuture(null)
                        : schema.timers().afterPause(call, attempts, () -> readAndWrite(attempts + 1)));
    }

    private WriteBatch batch(List<Entry> missing) {
        WriteBatch batch = schema.firestore().batch();
        for (Entry entry : missing) {
            DocumentReference document = schema.entry(sequence, entry.number());
            if (entry.number() == 1) {
                DocumentSnapshot base = Objects.requireNonNull(found.get(1L));
                Precondition unchanged = Precondition.updatedAt(Objects.requireNonNull(base.getUpdateTime()));
                batch.update(document, EntryDocument.copyOf(entry), unchanged);
            } else {
                batch.create(document, EntryDocument.copyOf(entry));
            }
        }
        return batch;
    }
}
