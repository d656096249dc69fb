/**
 * Runs transactions of the application with adds and appends in them. Start at {@link
 * io.counterkit.firestore.internal.transaction.TransactionRun}.
 */
@NullMarked
package io.counterkit.firestore.internal.transaction;

import org.jspecify.annotations.NullMarked;
