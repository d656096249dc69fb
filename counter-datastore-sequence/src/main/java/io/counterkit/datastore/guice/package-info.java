/**
 * The backend on the App Engine Datastore for applications that use Guice. Start at {@link
 * io.counterkit.datastore.guice.DatastoreCounterModule}.
 */
@NullMarked
package io.counterkit.datastore.guice;

import org.jspecify.annotations.NullMarked;
