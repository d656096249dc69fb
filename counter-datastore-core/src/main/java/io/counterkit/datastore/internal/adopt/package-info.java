/**
 * Adopts records that were numbered before CounterKit was used. Start at {@link
 * io.counterkit.datastore.internal.adopt.Adopter}.
 */
@NullMarked
package io.counterkit.datastore.internal.adopt;

import org.jspecify.annotations.NullMarked;
