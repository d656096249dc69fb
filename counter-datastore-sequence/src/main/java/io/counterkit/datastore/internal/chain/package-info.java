/**
 * Appends to a chain of entries under consecutive numbers, each number once. Start at {@link
 * io.counterkit.datastore.internal.chain.ChainWriter}; a {@link io.counterkit.datastore.internal.chain.ChainChange}
 * decides what is written.
 */
@NullMarked
package io.counterkit.datastore.internal.chain;

import org.jspecify.annotations.NullMarked;
