/**
 * Counters and sequences for applications. Start at {@link io.counterkit.Counters}: it is made once over a backend, or
 * injected, and hands out {@link io.counterkit.Counter} and {@link io.counterkit.Sequence} by name.
 */
@NullMarked
package io.counterkit;

import org.jspecify.annotations.NullMarked;
