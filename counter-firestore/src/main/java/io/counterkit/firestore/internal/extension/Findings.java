package io.counterkit.firestore.internal.extension;

import com.google.cloud.firestore.DocumentReference;
import io.counterkit.firestore.ExtensionImportReport;
import io.counterkit.firestore.ExtensionImportReport.Left;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/** Collects the results of a pass for its report. Thread-safe. */
final class Findings {
    private static final int MOST_FIELDS = 20;

    /** The limit before the fields that are taken over are removed. */
    private static final int MOST_OTHERS = 1_000;

    /** About 500 bytes each. */
    static final int MOST_LEFT = 10_000;

    private final AtomicLong documents = new AtomicLong();
    private final AtomicLong counters = new AtomicLong();
    private final AtomicLong shards = new AtomicLong();
    private final AtomicLong moved = new AtomicLong();
    private final Set<String> fieldsOfShards = new ConcurrentSkipListSet<>();
    private final Set<String> fieldsOfDocuments = new ConcurrentSkipListSet<>();
    private final Set<Left> left = ConcurrentHashMap.newKeySet();

    void documents(int count) {
        documents.addAndGet(count);
    }

    void counters(int count) {
        counters.addAndGet(count);
    }

    void shards(int count) {
        shards.addAndGet(count);
    }

    void moved(long delta) {
        moved.addAndGet(delta);
    }

    void fieldsOfShards(Collection<String> fields) {
        if (fieldsOfShards.size() < MOST_OTHERS) {
            fieldsOfShards.addAll(fields);
        }
    }

    void fieldsOf(Map<String, Object> document) {
        if (fieldsOfDocuments.size() < MOST_FIELDS) {
            CountedField.numbersIn(document, "", fieldsOfDocuments);
        }
    }

    void left(DocumentReference document, CountedField field, String reason) {
        left(document, "field '" + field.text() + "': " + reason);
    }

    void left(DocumentReference document, String reason) {
        if (left.size() < MOST_LEFT) {
            left.add(new Left(document.getPath(), reason));
        }
    }

    ExtensionImportReport report(List<CountedField> fields) {
        Set<String> others = new TreeSet<>(fieldsOfShards);
        if (counters.get() == 0) {
            others.addAll(fieldsOfDocuments);
        }
        fields.forEach(field -> others.remove(field.text()));
        return new ExtensionImportReport(
                documents.get(),
                counters.get(),
                shards.get(),
                moved.get(),
                others.stream().limit(MOST_FIELDS).toList(),
                left.stream().sorted().toList());
    }
}
