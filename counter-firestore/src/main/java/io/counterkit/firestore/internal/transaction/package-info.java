/**
 * Runs transactions of the application that contain adds and appends. Start at {@link
 * io.counterkit.firestore.internal.transaction.TransactionRun}.
 */
@NullMarked
package io.counterkit.firestore.internal.transaction;

import org.jspecify.annotations.NullMarked;
