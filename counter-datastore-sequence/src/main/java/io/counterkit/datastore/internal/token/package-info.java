/**
 * Resolves tokens, and purges them after their retention. Start at {@link
 * io.counterkit.datastore.internal.token.TokenResolver}.
 */
@NullMarked
package io.counterkit.datastore.internal.token;

import org.jspecify.annotations.NullMarked;
