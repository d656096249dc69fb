/**
 * Finds the tail of a chain, and appends entries under consecutive numbers, each number once. Start at {@link
 * io.counterkit.datastore.internal.chain.ChainWriter}; {@link io.counterkit.datastore.internal.chain.TailFinder} finds
 * the tail.
 */
@NullMarked
package io.counterkit.datastore.internal.chain;

import org.jspecify.annotations.NullMarked;
