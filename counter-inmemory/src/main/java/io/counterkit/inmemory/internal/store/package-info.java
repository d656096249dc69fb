/**
 * The state of a store in memory, and the effect of each call of the contract on it, without batching or faults. Start
 * at {@link io.counterkit.inmemory.internal.store.CounterTable} and {@link
 * io.counterkit.inmemory.internal.store.SequenceTable}.
 */
@NullMarked
package io.counterkit.inmemory.internal.store;

import org.jspecify.annotations.NullMarked;
