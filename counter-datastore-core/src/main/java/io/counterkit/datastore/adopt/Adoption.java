package io.counterkit.datastore.adopt;

import org.jspecify.annotations.Nullable;

/**
 * Describes existing records that an application has numbered, for the method {@code adopt} of a backend. Their numbers
 * may come from any software, for example from Slim3 or from the algorithm of the article <em>Numbering records in
 * sequence without using a counter</em> (Virtual Technology, 2009).
 *
 * @param kind the kind of the records, in the namespace of the backend
 * @param numberProperty the property that holds the number 1, 2, 3, …; it must be indexed
 * @param countProperty the property that holds the running count, which rises by 1, stays or falls by 1 from one record
 *     to the next; null if there is none: then each record adds 1
 * @param keyField the field of the entry that holds the key of the record, as text; null for none
 */
public record Adoption(
        String kind,
        String numberProperty,
        @Nullable String countProperty,
        @Nullable String keyField) {
    /** Describes records of a kind with their number in a property. */
    public static Adoption of(String kind, String numberProperty) {
        return new Adoption(kind, numberProperty, null, null);
    }

    /** Returns this description with the running count in a property. */
    public Adoption withCount(String property) {
        return new Adoption(kind, numberProperty, property, keyField);
    }

    /** Returns this description with the key of each record in a field. */
    public Adoption withKeyField(String field) {
        return new Adoption(kind, numberProperty, countProperty, field);
    }
}
