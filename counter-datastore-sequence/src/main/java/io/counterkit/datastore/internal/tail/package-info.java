/**
 * Finds the newest entry of a chain, by a query or by probing. Start at {@link
 * io.counterkit.datastore.internal.tail.TailFinder}.
 */
@NullMarked
package io.counterkit.datastore.internal.tail;

import org.jspecify.annotations.NullMarked;
