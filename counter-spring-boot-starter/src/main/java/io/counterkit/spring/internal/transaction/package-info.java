/**
 * Adds and appends in the transactions of Spring. Start at {@link
 * io.counterkit.spring.internal.transaction.ThreadBoundTransactions}.
 */
@NullMarked
package io.counterkit.spring.internal.transaction;

import org.jspecify.annotations.NullMarked;
