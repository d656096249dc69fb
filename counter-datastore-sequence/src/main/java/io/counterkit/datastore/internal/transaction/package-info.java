/**
 * Runs transactions of the application with adds and appends in them. Start at {@link
 * io.counterkit.datastore.internal.transaction.Transact}.
 */
@NullMarked
package io.counterkit.datastore.internal.transaction;

import org.jspecify.annotations.NullMarked;
