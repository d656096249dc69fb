/**
 * Observes the load of a counter, and recommends or changes its shard count. Start at {@link
 * io.counterkit.firestore.internal.advice.ShardAdvisor}; {@code AdaptiveShards} changes shard counts without a call.
 */
@NullMarked
package io.counterkit.firestore.internal.advice;

import org.jspecify.annotations.NullMarked;
