/**
 * The rules on failures: what a reported outcome means, and that a change is applied once. Start at
 * {@link io.counterkit.tck.chapter.outcome.ExactlyOnceChapter}.
 */
@NullMarked
package io.counterkit.tck.chapter.outcome;

import org.jspecify.annotations.NullMarked;
