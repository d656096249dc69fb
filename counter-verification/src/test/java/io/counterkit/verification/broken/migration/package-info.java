/**
 * Flaws of seals and imports. Start at {@code SealFlaws}.
 */
@NullMarked
package io.counterkit.verification.broken.migration;

import org.jspecify.annotations.NullMarked;
