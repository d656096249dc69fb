/**
 * Compares what source and target hold of a name. Start at {@link
 * io.counterkit.migration.internal.verify.SequenceCheck}.
 */
@NullMarked
package io.counterkit.migration.internal.verify;

import org.jspecify.annotations.NullMarked;
