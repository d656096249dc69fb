/**
 * Describes records that were numbered before CounterKit was used, and the result of their adoption, for both
 * backends on a Datastore. Start at {@link io.counterkit.datastore.adopt.Adoption}.
 */
@NullMarked
package io.counterkit.datastore.adopt;

import org.jspecify.annotations.NullMarked;
