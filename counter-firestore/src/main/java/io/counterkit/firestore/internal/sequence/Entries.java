package io.counterkit.firestore.internal.sequence;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Entry;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Call;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Entries by their numbers. */
final class Entries {
    private final FirestoreSchema schema;

    Entries(FirestoreSchema schema) {
        this.schema = schema;
    }

    /** Those with these numbers, in their order; each has been given out, so one that is not there is an error. */
    CompletableFuture<List<Entry>> read(String sequence, Collection<Long> numbers, Call call) {
        DocumentReference[] references =
                numbers.stream().map(number -> schema.entry(sequence, number)).toArray(DocumentReference[]::new);
        return references.length == 0
                ? CompletableFuture.completedFuture(List.of())
                : schema.sender()
                        .ask(call, () -> schema.firestore().getAll(references))
                        .thenApply(documents -> toEntries(numbers, documents));
    }

    /**
     * The same, without those that are not there because they were given out by another store and are not copied.
     *
     * @param base the last number that was imported; asked for only if something is not there
     */
    CompletableFuture<List<Entry>> readCopied(
            String sequence, List<Long> numbers, Supplier<CompletableFuture<Long>> base, Call call) {
        DocumentReference[] references =
                numbers.stream().map(number -> schema.entry(sequence, number)).toArray(DocumentReference[]::new);
        if (references.length == 0) {
            return CompletableFuture.completedFuture(List.of());
        }
        return schema.sender()
                .ask(call, () -> schema.firestore().getAll(references))
                .thenCompose(documents -> {
                    if (documents.stream().noneMatch(EntryDocument::isNoEntry)) {
                        return CompletableFuture.completedFuture(toEntries(numbers, documents));
                    }
                    return base.get().thenApply(imported -> {
                        List<Long> there = new ArrayList<>();
                        List<DocumentSnapshot> entries = new ArrayList<>();
                        for (int i = 0; i < documents.size(); i++) {
                            if (numbers.get(i) > imported || !EntryDocument.isNoEntry(documents.get(i))) {
                                there.add(numbers.get(i));
                                entries.add(documents.get(i));
                            }
                        }
                        return toEntries(there, entries);
                    });
                });
    }

    private static List<Entry> toEntries(Collection<Long> numbers, List<DocumentSnapshot> documents) {
        List<Entry> entries = new ArrayList<>();
        for (long number : numbers) {
            entries.add(EntryDocument.toEntry(documents.get(entries.size()), number));
        }
        return entries;
    }
}
