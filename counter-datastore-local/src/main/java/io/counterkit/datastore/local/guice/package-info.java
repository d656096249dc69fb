/**
 * The local Datastore for applications that use Guice. Start at {@link
 * io.counterkit.datastore.local.guice.LocalDatastoreCounterModule}.
 */
@NullMarked
package io.counterkit.datastore.local.guice;

import org.jspecify.annotations.NullMarked;
