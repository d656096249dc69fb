/**
 * Flaws of reported outcomes after faults, outages and refusals, and of closed backends. Start at {@code
 * OutcomeFlaws}.
 */
@NullMarked
package io.counterkit.verification.broken.outcome;

import org.jspecify.annotations.NullMarked;
