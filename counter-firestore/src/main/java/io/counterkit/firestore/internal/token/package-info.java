/**
 * Token documents, which make each commit apply once. Start at {@link
 * io.counterkit.firestore.internal.token.TokenDocument}.
 */
@NullMarked
package io.counterkit.firestore.internal.token;

import org.jspecify.annotations.NullMarked;
