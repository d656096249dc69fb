/**
 * Flaws that only many names, large batches or large values reveal. Start at {@code SizeFlaws}.
 */
@NullMarked
package io.counterkit.verification.broken.size;

import org.jspecify.annotations.NullMarked;
