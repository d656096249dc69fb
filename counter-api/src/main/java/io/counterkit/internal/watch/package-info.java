/**
 * Watches counters: by polling, or with readings from a backend that can listen. Start at {@link
 * io.counterkit.internal.watch.Watches}.
 */
@NullMarked
package io.counterkit.internal.watch;

import org.jspecify.annotations.NullMarked;
