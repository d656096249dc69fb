package io.counterkit.firestore.internal.deployment;

import com.google.cloud.firestore.CollectionReference;
import io.counterkit.firestore.Layout;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.migration.ImportMarker;
import io.counterkit.firestore.internal.sequence.EntryDocument;
import io.counterkit.firestore.internal.stamp.Stamps;
import io.counterkit.firestore.internal.token.TokenDocument;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The fields of one collection group that no query uses, and that need no index.
 *
 * @param collection a collection of the group; it may be empty
 * @param effect the cost of indexes on the fields
 */
record Exemption(CollectionReference collection, List<String> fields, String effect) {
    /** A name that no counter and no sequence is expected to have. */
    static final String NAME = "counterkit-deployment-check";

    private static final String HOT = "Firestore allows about 500 writes a second to a collection whose indexed field"
            + " grows from one document to the next";

    /** Returns the overrides of {@code firestore.indexes.json}, for the collections of this layout. */
    static List<Exemption> all(FirestoreSchema schema) {
        Layout layout = schema.layout();
        return Stream.of(
                        new Exemption(
                                schema.firestore().collection(layout.tokenCollection()),
                                TokenDocument.FIELD_NAMES,
                                "each change is slower and stores about 15 index entries that no query uses; " + HOT
                                        + ", as '" + TokenDocument.EXPIRES + "' does"),
                        new Exemption(
                                schema.firestore().collection(layout.importCollection()),
                                ImportMarker.FIELD_NAMES,
                                "each import stores about 12 index entries that no query uses"),
                        new Exemption(
                                schema.counters(),
                                List.of(layout.totalTimeField(), CounterSeal.FIELD),
                                "each roll-up stores 2 index entries that no query uses; " + HOT + ", as '"
                                        + layout.totalTimeField() + "' does"),
                        new Exemption(
                                schema.shards(NAME),
                                hasStamps(schema)
                                        ? List.of(CounterSeal.FIELD, Stamps.FIELD)
                                        : List.of(CounterSeal.FIELD),
                                hasStamps(schema)
                                        ? "each add rewrites about 8 index entries that no query uses, and each seal"
                                                + " about 10"
                                        : "each seal of a counter stores about 10 index entries that no query uses"),
                        new Exemption(
                                entries(schema),
                                EntryDocument.FIELD_NAMES,
                                "each append stores index entries for each field of the entry, which no query uses; "
                                        + HOT + ", as '" + EntryDocument.NUMBER
                                        + "' does; and indexed texts are limited to 1,500 bytes"),
                        new Exemption(
                                schema.subject(NAME, NAME).getParent(),
                                List.of(FirestoreSchema.LIVE),
                                "each append with a subject stores 2 index entries that no query uses"))
                .filter(exemption ->
                        !(layout.hasFlatShards() && exemption.group().equals(NAME)))
                .toList();
    }

    private static boolean hasStamps(FirestoreSchema schema) {
        return schema.options().writeStrategy() == WriteStrategy.STAMP;
    }

    private static CollectionReference entries(FirestoreSchema schema) {
        return Objects.requireNonNull(schema.entry(NAME, 1).getParent());
    }

    String what() {
        return "index exemptions of '" + group() + "'";
    }

    String group() {
        return collection.getId();
    }
}
