/**
 * The backend on Google Cloud Datastore for applications that use Guice. Start at {@link
 * io.counterkit.datastore.cloud.guice.DatastoreCounterModule}.
 */
@NullMarked
package io.counterkit.datastore.cloud.guice;

import org.jspecify.annotations.NullMarked;
