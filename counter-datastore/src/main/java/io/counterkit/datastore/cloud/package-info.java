/**
 * Gapless sequences, and counters on top of them, on a Datastore through Google's client
 * {@code google-cloud-datastore}. Start at {@link io.counterkit.datastore.cloud.DatastoreCounterBackend}.
 */
@NullMarked
package io.counterkit.datastore.cloud;

import org.jspecify.annotations.NullMarked;
