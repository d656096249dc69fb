/**
 * {@code counter soak}. Start at {@link io.counterkit.cli.soak.SoakCommand}; the checks are in {@code counter-soak}.
 */
@NullMarked
package io.counterkit.cli.soak;

import org.jspecify.annotations.NullMarked;
