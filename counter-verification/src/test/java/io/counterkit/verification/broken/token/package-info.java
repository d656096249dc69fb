/**
 * Flaws of idempotency tokens: what is applied twice, or although its token was resolved. Start at {@code TokenFlaws}.
 */
@NullMarked
package io.counterkit.verification.broken.token;

import org.jspecify.annotations.NullMarked;
