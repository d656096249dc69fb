/**
 * Appends entries to a chain under consecutive numbers, each number once. Start at {@link
 * io.counterkit.datastore.internal.chain.ChainWriter}; a {@link io.counterkit.datastore.internal.chain.ChainChange}
 * plans what it writes.
 */
@NullMarked
package io.counterkit.datastore.internal.chain;

import org.jspecify.annotations.NullMarked;
