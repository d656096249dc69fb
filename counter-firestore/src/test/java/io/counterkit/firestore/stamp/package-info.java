/** Adds whose token is a stamp in the shard. Start at {@code StampTest}. */
@NullMarked
package io.counterkit.firestore.stamp;

import org.jspecify.annotations.NullMarked;
