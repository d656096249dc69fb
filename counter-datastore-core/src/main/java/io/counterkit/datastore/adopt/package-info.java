/**
 * Describes records that were numbered before CounterKit was used, and what came of adopting them; the same for both
 * backends on a Datastore. Start at {@link io.counterkit.datastore.adopt.Adoption}.
 */
@NullMarked
package io.counterkit.datastore.adopt;

import org.jspecify.annotations.NullMarked;
