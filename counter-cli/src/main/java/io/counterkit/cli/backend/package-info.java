/**
 * Which stores the command line can use. Start at {@link io.counterkit.cli.backend.BackendFactory}: one class and one
 * line in {@code META-INF/services} make a backend join.
 */
@NullMarked
package io.counterkit.cli.backend;

import org.jspecify.annotations.NullMarked;
