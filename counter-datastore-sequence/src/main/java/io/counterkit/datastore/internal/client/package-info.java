/**
 * Calls the Datastore within the time of a caller, and retries a change until its outcome is known. Start at {@link
 * io.counterkit.datastore.internal.client.RetryLoop}; {@link io.counterkit.datastore.internal.client.DatastoreErrors}
 * maps each error.
 */
@NullMarked
package io.counterkit.datastore.internal.client;

import org.jspecify.annotations.NullMarked;
