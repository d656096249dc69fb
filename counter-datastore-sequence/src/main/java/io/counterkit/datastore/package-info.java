/**
 * Gapless sequences, and counters on top of them, on the App Engine Datastore. Start at
 * {@link io.counterkit.datastore.DatastoreSequenceBackend}; {@code ChainWriter} gives out numbers, {@code TailFinder} finds
 * the newest one, and the package {@code schema} has what is stored.
 */
@NullMarked
package io.counterkit.datastore;

import org.jspecify.annotations.NullMarked;
