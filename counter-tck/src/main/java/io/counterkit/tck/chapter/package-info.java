/**
 * The chapters of the contract as JUnit tests, one or more classes for each chapter of {@code SPEC.md}. Start at
 * {@link io.counterkit.tck.chapter.Chapter}, which opens the store and connects the processes.
 */
@NullMarked
package io.counterkit.tck.chapter;

import org.jspecify.annotations.NullMarked;
