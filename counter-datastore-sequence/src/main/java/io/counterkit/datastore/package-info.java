/**
 * Gapless sequences, and counters on top of them, on the App Engine Datastore. Start at {@link
 * io.counterkit.datastore.DatastoreSequenceBackend}; the algorithm and the stored format are in {@code
 * counter-datastore-core}.
 */
@NullMarked
package io.counterkit.datastore;

import org.jspecify.annotations.NullMarked;
