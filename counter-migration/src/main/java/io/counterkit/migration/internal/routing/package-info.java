/**
 * Sends each operation to the store that holds its name, and moves names. Start at {@link
 * io.counterkit.migration.internal.routing.Router} for changes and at {@link
 * io.counterkit.migration.internal.routing.NameMover} for moves.
 */
@NullMarked
package io.counterkit.migration.internal.routing;

import org.jspecify.annotations.NullMarked;
