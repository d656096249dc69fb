/**
 * The base classes of the chapters of the contract. The chapters are in one package for each topic. Start at
 * {@link io.counterkit.tck.chapter.Chapter}, which opens the store and connects the processes.
 */
@NullMarked
package io.counterkit.tck.chapter;

import org.jspecify.annotations.NullMarked;
