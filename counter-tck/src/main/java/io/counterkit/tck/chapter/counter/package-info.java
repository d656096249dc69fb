/**
 * The rules on counters: adding, reading, watching, limits, and reset. Start at
 * {@link io.counterkit.tck.chapter.counter.AddingChapter}.
 */
@NullMarked
package io.counterkit.tck.chapter.counter;

import org.jspecify.annotations.NullMarked;
