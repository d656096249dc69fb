/**
 * Checks complete histories of concurrent operations on one counter or one sequence. Start at
 * {@link io.counterkit.tck.internal.history.HistoryRun}, which runs one, and at {@code LinearizabilityChecker}.
 */
@NullMarked
package io.counterkit.tck.internal.history;

import org.jspecify.annotations.NullMarked;
