/**
 * The write strategy that stamps the token of a commit into a shard instead of creating a token document. Start at
 * {@link io.counterkit.firestore.internal.lane.StampedAdds}.
 */
@NullMarked
package io.counterkit.firestore.internal.lane;

import org.jspecify.annotations.NullMarked;
