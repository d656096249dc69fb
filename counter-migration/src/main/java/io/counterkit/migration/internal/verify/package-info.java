/**
 * Compares the source and the target of a moved name. Start at {@link
 * io.counterkit.migration.internal.verify.SequenceCheck}.
 */
@NullMarked
package io.counterkit.migration.internal.verify;

import org.jspecify.annotations.NullMarked;
