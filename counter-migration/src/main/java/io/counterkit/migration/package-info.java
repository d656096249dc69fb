/**
 * A backend made of two, which moves names from a source to a target while the application runs. Start at
 * {@link io.counterkit.migration.MigratingBackend}.
 */
@NullMarked
package io.counterkit.migration;

import org.jspecify.annotations.NullMarked;
