/**
 * Flaws of appends, of the numbers and fields of entries, and of followers. Start at {@code SequenceFlaws}.
 */
@NullMarked
package io.counterkit.verification.broken.sequence;

import org.jspecify.annotations.NullMarked;
