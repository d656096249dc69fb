/**
 * Imports names from another store, copies their entries, and reports the state of names. Start at {@link
 * io.counterkit.datastore.internal.migration.DatastoreMigration}.
 */
@NullMarked
package io.counterkit.datastore.internal.migration;

import org.jspecify.annotations.NullMarked;
