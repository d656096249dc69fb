/**
 * Sequences: appends, reads and erasures. Start at {@link
 * io.counterkit.datastore.internal.sequence.DatastoreSequences}.
 */
@NullMarked
package io.counterkit.datastore.internal.sequence;

import org.jspecify.annotations.NullMarked;
