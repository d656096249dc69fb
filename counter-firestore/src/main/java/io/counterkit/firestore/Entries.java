package io.counterkit.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Entry;
import io.counterkit.spi.Call;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Entries by their numbers. */
final class Entries {
    private final FirestoreSchema schema;

    Entries(FirestoreSchema schema) {
        this.schema = schema;
    }

    /** Those that are there, in the order of the numbers; seals are none. */
    CompletableFuture<List<Entry>> read(String sequence, Collection<Long> numbers, Call call) {
        DocumentReference[] references =
                numbers.stream().map(number -> schema.entry(sequence, number)).toArray(DocumentReference[]::new);
        return references.length == 0
                ? CompletableFuture.completedFuture(List.of())
                : Sender.ask(call, () -> schema.firestore().getAll(references)).thenApply(Entries::toEntries);
    }

    private static List<Entry> toEntries(List<DocumentSnapshot> documents) {
        List<Entry> entries = new ArrayList<>();
        for (DocumentSnapshot document : documents) {
            if (document.exists() && !EntryDocument.isSeal(document)) {
                entries.add(EntryDocument.toEntry(document));
            }
        }
        return entries;
    }
}
