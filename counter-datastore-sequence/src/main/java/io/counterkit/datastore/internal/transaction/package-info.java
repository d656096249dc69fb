/**
 * Runs an application's transactions that contain adds and appends. Start at {@link
 * io.counterkit.datastore.internal.transaction.ApplicationTransaction}.
 */
@NullMarked
package io.counterkit.datastore.internal.transaction;

import org.jspecify.annotations.NullMarked;
