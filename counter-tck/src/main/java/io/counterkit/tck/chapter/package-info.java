/**
 * The base classes of the chapters of the contract. The chapters are in one package for each topic. Start at {@code
 * ConnectedTests}, which opens the store and connects the processes. {@link io.counterkit.tck.chapter.Chapter} adds
 * faults.
 */
@NullMarked
package io.counterkit.tck.chapter;

import org.jspecify.annotations.NullMarked;
