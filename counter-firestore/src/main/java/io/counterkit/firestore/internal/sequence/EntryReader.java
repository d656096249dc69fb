package io.counterkit.firestore.internal.sequence;

import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Entry;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Reads entries by their numbers, and subjects. */
public final class EntryReader {
    private final FirestoreSchema schema;

    EntryReader(FirestoreSchema schema) {
        this.schema = schema;
    }

    /** Reads the entries of numbers that were issued here, in their order. A missing one is reported as corrupt. */
    CompletableFuture<List<Entry>> read(String sequence, List<Long> numbers, Call call) {
        return read(sequence, numbers, () -> CompletableFuture.completedFuture(0L), call);
    }

    /**
     * Reads the entries of issued numbers, in their order, without those of another store that are not copied yet.
     *
     * @param base reads the last imported number; called only if an entry is missing
     */
    CompletableFuture<List<Entry>> read(
            String sequence, List<Long> numbers, Supplier<CompletableFuture<Long>> base, Call call) {
        return schema.client()
                .documents(
                        call,
                        numbers.stream()
                                .map(number -> schema.entry(sequence, number))
                                .toList())
                .thenCompose(documents -> documents.stream().noneMatch(EntryDocument::isNoEntry)
                        ? CompletableFuture.completedFuture(toEntries(numbers, documents, 0))
                        : base.get().thenApply(imported -> toEntries(numbers, documents, imported)));
    }

    private static List<Entry> toEntries(List<Long> numbers, List<DocumentSnapshot> documents, long imported) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            if (numbers.get(i) > imported || !EntryDocument.isNoEntry(documents.get(i))) {
                entries.add(EntryDocument.toEntry(documents.get(i), numbers.get(i)));
            }
        }
        return entries;
    }

    /** Returns whether each subject is live. */
    public CompletableFuture<Map<String, Boolean>> liveSubjects(String sequence, List<String> subjects, Call call) {
        return schema.client()
                .documents(
                        call,
                        subjects.stream()
                                .map(subject -> schema.subject(sequence, subject))
                                .toList())
                .thenApply(documents -> {
                    Map<String, Boolean> live = new HashMap<>();
                    for (int i = 0; i < documents.size(); i++) {
                        live.put(
                                subjects.get(i),
                                Boolean.TRUE.equals(documents.get(i).getBoolean(FirestoreSchema.LIVE)));
                    }
                    return live;
                });
    }
}
