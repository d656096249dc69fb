/**
 * What a flaw of a backend is, and what the flaws share. Start at {@code Flaw}.
 */
@NullMarked
package io.counterkit.verification.broken.flaw;

import org.jspecify.annotations.NullMarked;
