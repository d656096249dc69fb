/**
 * Stores the change that each token was used for, so that each commit is applied once. Start at {@link
 * io.counterkit.firestore.internal.token.TokenStore}.
 */
@NullMarked
package io.counterkit.firestore.internal.token;

import org.jspecify.annotations.NullMarked;
