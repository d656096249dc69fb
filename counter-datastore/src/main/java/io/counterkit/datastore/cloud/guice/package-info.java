/** The backend on Google Cloud Datastore for applications that use Guice. Start at the one module. */
@NullMarked
package io.counterkit.datastore.cloud.guice;

import org.jspecify.annotations.NullMarked;
