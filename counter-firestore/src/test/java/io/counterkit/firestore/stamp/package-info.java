/**
 * Adds whose token is a stamp in the shard. Start at {@code StampTest}; {@code StampAttackTest} is in the package above,
 * since it sets the clock of a backend.
 */
@NullMarked
package io.counterkit.firestore.stamp;

import org.jspecify.annotations.NullMarked;
