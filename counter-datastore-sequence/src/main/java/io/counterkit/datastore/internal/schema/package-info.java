/**
 * The stored format: entities and their properties as values, and back. Start at {@link
 * io.counterkit.datastore.internal.schema.DatastoreSchema}.
 */
@NullMarked
package io.counterkit.datastore.internal.schema;

import org.jspecify.annotations.NullMarked;
