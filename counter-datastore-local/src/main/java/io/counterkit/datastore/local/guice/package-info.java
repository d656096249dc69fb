/** The local Datastore for applications that use Guice. Start at the one module. */
@NullMarked
package io.counterkit.datastore.local.guice;

import org.jspecify.annotations.NullMarked;
