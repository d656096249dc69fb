/**
 * Resolves tokens and purges those whose retention is over. Start at {@link
 * io.counterkit.datastore.internal.token.TokenResolver}.
 */
@NullMarked
package io.counterkit.datastore.internal.token;

import org.jspecify.annotations.NullMarked;
