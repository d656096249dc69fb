/**
 * What the chapters of the contract have in common; the chapters themselves are in a package for each subject. Start at
 * {@link io.counterkit.tck.chapter.Chapter}, which opens the store and connects the processes.
 */
@NullMarked
package io.counterkit.tck.chapter;

import org.jspecify.annotations.NullMarked;
