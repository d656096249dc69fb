/**
 * Takes over counters of the Firebase extension Distributed Counter. Start at {@link
 * io.counterkit.firestore.internal.extension.ExtensionPass}.
 */
@NullMarked
package io.counterkit.firestore.internal.extension;

import org.jspecify.annotations.NullMarked;
