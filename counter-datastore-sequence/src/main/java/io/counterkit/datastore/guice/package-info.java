/** The backend on the App Engine Datastore for applications that use Guice. Start at the one module. */
@NullMarked
package io.counterkit.datastore.guice;

import org.jspecify.annotations.NullMarked;
