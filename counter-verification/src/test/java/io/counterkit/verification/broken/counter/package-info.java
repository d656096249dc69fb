/**
 * Flaws of adds, resets and deletions. Start at {@code AddFlaws}.
 */
@NullMarked
package io.counterkit.verification.broken.counter;

import org.jspecify.annotations.NullMarked;
