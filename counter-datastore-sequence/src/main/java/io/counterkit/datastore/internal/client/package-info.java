/**
 * App Engine's Datastore API, as the algorithm of {@code counter-datastore-core} needs it. Start at {@link
 * io.counterkit.datastore.internal.client.DatastoreClient}; {@link io.counterkit.datastore.internal.client.AppEngineErrors}
 * classifies errors.
 */
@NullMarked
package io.counterkit.datastore.internal.client;

import org.jspecify.annotations.NullMarked;
