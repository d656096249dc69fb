/**
 * Adapts App Engine's Datastore API to the interface of {@code counter-datastore-core}. Start at {@link
 * io.counterkit.datastore.internal.client.DatastoreClient}; {@link
 * io.counterkit.datastore.internal.client.AppEngineErrors} classifies errors.
 */
@NullMarked
package io.counterkit.datastore.internal.client;

import org.jspecify.annotations.NullMarked;
