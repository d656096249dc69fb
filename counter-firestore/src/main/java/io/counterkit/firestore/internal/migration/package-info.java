/**
 * Imports names from another store, copies entries, and reports the state of names. Start at {@link
 * io.counterkit.firestore.internal.migration.FirestoreMigration}.
 */
@NullMarked
package io.counterkit.firestore.internal.migration;

import org.jspecify.annotations.NullMarked;
