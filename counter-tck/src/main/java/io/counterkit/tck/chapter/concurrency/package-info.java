/**
 * The rules on threads and processes that use one name concurrently. Start at
 * {@link io.counterkit.tck.chapter.concurrency.ConcurrencyChapter}.
 */
@NullMarked
package io.counterkit.tck.chapter.concurrency;

import org.jspecify.annotations.NullMarked;
