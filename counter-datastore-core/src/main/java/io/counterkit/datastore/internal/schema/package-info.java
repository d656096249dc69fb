/**
 * The stored format: keys, properties, and the values that they are read into. Start at {@link
 * io.counterkit.datastore.internal.schema.DatastoreKeys}.
 */
@NullMarked
package io.counterkit.datastore.internal.schema;

import org.jspecify.annotations.NullMarked;
