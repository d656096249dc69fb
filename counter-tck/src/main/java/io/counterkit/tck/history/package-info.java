/**
 * Checks complete histories of concurrent operations on one counter or one sequence. Start at
 * {@link io.counterkit.tck.history.Workload}, which runs random operations, and at {@code LinearizabilityChecker}.
 */
@NullMarked
package io.counterkit.tck.history;

import org.jspecify.annotations.NullMarked;
