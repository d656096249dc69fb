/**
 * Reports of the kit: the rules of {@code SPEC.md}, failures, and calls that never end. Start at {@link
 * io.counterkit.tck.internal.report.RuleReport}.
 */
@NullMarked
package io.counterkit.tck.internal.report;

import org.jspecify.annotations.NullMarked;
