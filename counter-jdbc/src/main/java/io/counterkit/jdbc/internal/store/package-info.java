/**
 * The operations of the backend as transactions. Start at {@link io.counterkit.jdbc.internal.store.Database} and {@link
 * io.counterkit.jdbc.internal.store.AddBatch}.
 */
@NullMarked
package io.counterkit.jdbc.internal.store;

import org.jspecify.annotations.NullMarked;
