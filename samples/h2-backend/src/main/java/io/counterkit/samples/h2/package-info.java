/**
 * A complete backend on H2, as {@code docs/writing-a-backend.md} explains it. Start at
 * {@link io.counterkit.samples.h2.H2Backend}.
 */
@NullMarked
package io.counterkit.samples.h2;

import org.jspecify.annotations.NullMarked;
