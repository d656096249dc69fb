/**
 * Sends each operation to the store where its name is, and moves names. Start at {@link
 * io.counterkit.migration.internal.routing.Routing}; {@link io.counterkit.migration.internal.routing.NameMover} moves a
 * name.
 */
@NullMarked
package io.counterkit.migration.internal.routing;

import org.jspecify.annotations.NullMarked;
