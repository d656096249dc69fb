/**
 * Follows sequences: delivers every entry to a consumer, in order, by polling and by listening, and keeps positions
 * in counters. Start at {@link io.counterkit.internal.follow.PollingFollower}.
 */
@NullMarked
package io.counterkit.internal.follow;

import org.jspecify.annotations.NullMarked;
