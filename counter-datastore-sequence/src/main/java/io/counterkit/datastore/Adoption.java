package io.counterkit.datastore;

import org.jspecify.annotations.Nullable;

/**
 * Where existing records are that were numbered without a counter, as in the article of 2009, with Slim3 or by hand: see
 * {@link DatastoreSequenceBackend#adopt}.
 *
 * @param kind the kind of the records, in the namespace of the backend
 * @param numberProperty the property that holds the number 1, 2, 3, …; it must be indexed
 * @param countProperty the property that holds the running count, which goes up by 1, stays or goes down by 1 from one
 *     record to the next; null if there is none: then each record adds
 * @param keyField the field of the entry that is to hold the key of the record, as text; null for none
 */
public record Adoption(
        String kind,
        String numberProperty,
        @Nullable String countProperty,
        @Nullable String keyField) {
    /** Records of this kind with their number in this property. */
    public static Adoption of(String kind, String numberProperty) {
        return new Adoption(kind, numberProperty, null, null);
    }

    /** The same, with the running count in this property. */
    public Adoption withCount(String property) {
        return new Adoption(kind, numberProperty, property, keyField);
    }

    /** The same, with the key of each record kept in this field. */
    public Adoption withKeyField(String field) {
        return new Adoption(kind, numberProperty, countProperty, field);
    }
}
