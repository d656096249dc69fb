/**
 * The backends that commands run on. Start at {@link io.counterkit.cli.backend.BackendFactory}: one class and one line
 * in {@code META-INF/services} add a backend.
 */
@NullMarked
package io.counterkit.cli.backend;

import org.jspecify.annotations.NullMarked;
