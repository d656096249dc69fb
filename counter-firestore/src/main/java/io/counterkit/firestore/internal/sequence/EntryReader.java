package io.counterkit.firestore.internal.sequence;

import io.counterkit.Entry;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Call;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Reads entries by their numbers, and subjects. */
public final class EntryReader {
    private final FirestoreSchema schema;

    EntryReader(FirestoreSchema schema) {
        this.schema = schema;
    }

    /** Reads the entries of numbers that were issued here. A missing one is reported as corrupt. */
    CompletableFuture<Map<Long, Entry>> read(String sequence, Collection<Long> numbers, Call call) {
        return read(sequence, numbers, () -> CompletableFuture.completedFuture(0L), call);
    }

    /**
     * Reads the entries of issued numbers, ascending. Omits imported entries that are not copied yet.
     *
     * @param base reads the last imported number; called only if an entry is missing
     */
    CompletableFuture<Map<Long, Entry>> read(
            String sequence, Collection<Long> numbers, Supplier<CompletableFuture<Long>> base, Call call) {
        return DocumentReads.byKey(schema, call, numbers, number -> schema.entry(sequence, number))
                .thenCompose(documents -> {
                    CompletableFuture<Long> imported =
                            documents.values().stream().noneMatch(EntryDocument::isNoEntry)
                                    ? CompletableFuture.completedFuture(0L)
                                    : base.get();
                    return imported.thenApply(last -> {
                        Map<Long, Entry> entries = new TreeMap<>();
                        documents.forEach((number, document) -> {
                            if (number > last || !EntryDocument.isNoEntry(document)) {
                                entries.put(number, EntryDocument.toEntry(document, number));
                            }
                        });
                        return entries;
                    });
                });
    }

    /** Returns whether each known subject is live. */
    public CompletableFuture<Map<String, Boolean>> liveSubjects(String sequence, List<String> subjects, Call call) {
        return DocumentReads.byKey(schema, call, subjects, subject -> schema.subject(sequence, subject))
                .thenApply(documents -> {
                    Map<String, Boolean> live = new HashMap<>();
                    documents.forEach((subject, document) -> {
                        if (document.exists()) {
                            live.put(subject, Boolean.TRUE.equals(document.getBoolean(FirestoreSchema.LIVE)));
                        }
                    });
                    return live;
                });
    }
}
