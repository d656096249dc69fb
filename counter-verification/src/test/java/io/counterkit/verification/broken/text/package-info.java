/**
 * Flaws of names, tokens, subjects and fields as texts, and of lists of names. Start at {@code NameFlaws}.
 */
@NullMarked
package io.counterkit.verification.broken.text;

import org.jspecify.annotations.NullMarked;
