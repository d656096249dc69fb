/**
 * Gapless sequences, and counters on top of them, on the App Engine Datastore. Start at
 * {@link io.counterkit.datastore.DatastoreSequenceBackend}; how a number is given out is in {@code ChainWriter}, how the
 * newest one is found in {@code TailFinder}, and what is stored in {@code DatastoreSchema}.
 */
@NullMarked
package io.counterkit.datastore;

import org.jspecify.annotations.NullMarked;
