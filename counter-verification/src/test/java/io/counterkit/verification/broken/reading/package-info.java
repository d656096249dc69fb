/**
 * Flaws of reads of counters, and of watches. Start at {@code ReadFlaws}.
 */
@NullMarked
package io.counterkit.verification.broken.reading;

import org.jspecify.annotations.NullMarked;
