/**
 * Faults, held calls, interrupts and concurrent tasks for the chapters. Start at
 * {@link io.counterkit.tck.internal.fault.Trial}.
 */
@NullMarked
package io.counterkit.tck.internal.fault;

import org.jspecify.annotations.NullMarked;
