package io.counterkit.datastore.internal.adopt;

import org.jspecify.annotations.Nullable;

/**
 * Records to adopt.
 *
 * @param numberProperty the property that holds the number
 * @param countProperty the property that holds the running count; null if there is none
 * @param keyField the field of the entry that holds the key of the record, as text; null for none
 */
public record AdoptionSource(
        String kind,
        String numberProperty,
        @Nullable String countProperty,
        @Nullable String keyField) {}
