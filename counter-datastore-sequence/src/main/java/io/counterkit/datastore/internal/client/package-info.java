/**
 * Calls the Datastore within the time of a caller, and retries until the outcome is known. Start at {@link
 * io.counterkit.datastore.internal.client.RetryLoop}; {@link io.counterkit.datastore.internal.client.DatastoreErrors}
 * classifies errors.
 */
@NullMarked
package io.counterkit.datastore.internal.client;

import org.jspecify.annotations.NullMarked;
