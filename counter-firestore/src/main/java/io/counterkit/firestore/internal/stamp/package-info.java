/**
 * The tokens that commits stamp into the shards that they write, and how they are resolved, kept and removed. Start at
 * {@link io.counterkit.firestore.internal.stamp.Stamps}.
 */
@NullMarked
package io.counterkit.firestore.internal.stamp;

import org.jspecify.annotations.NullMarked;
