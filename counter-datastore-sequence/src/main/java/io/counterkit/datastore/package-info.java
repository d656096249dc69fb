/**
 * Gapless sequences, and counters on top of them, on the App Engine Datastore. Start at {@link
 * io.counterkit.datastore.DatastoreSequenceBackend}; {@code ChainWriter} assigns numbers, {@code TailFinder} finds the
 * newest one, and the package {@code schema} contains the stored format.
 */
@NullMarked
package io.counterkit.datastore;

import org.jspecify.annotations.NullMarked;
