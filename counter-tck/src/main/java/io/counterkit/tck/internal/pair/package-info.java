/**
 * Concurrent operations on one name, and the results that they may have. Start at
 * {@link io.counterkit.tck.internal.pair.PairRun}.
 */
@NullMarked
package io.counterkit.tck.internal.pair;

import org.jspecify.annotations.NullMarked;
