/**
 * Adds with stamps while calls fail, lose their replies and arrive late, and while the counters are changed in every
 * other way. Start at {@code StampAttackTest}.
 */
@NullMarked
package io.counterkit.firestore.attack;

import org.jspecify.annotations.NullMarked;
