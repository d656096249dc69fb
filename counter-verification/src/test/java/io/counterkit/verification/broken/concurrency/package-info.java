/**
 * Flaws that only calls at the same time, or several operations and faults together, reveal. Start at {@code
 * HistoryFlaws}.
 */
@NullMarked
package io.counterkit.verification.broken.concurrency;

import org.jspecify.annotations.NullMarked;
