/**
 * App Engine's local Datastore as a backend of the command line. Start at
 * {@link io.counterkit.cli.datastore.DatastoreBackendFactory}.
 */
@NullMarked
package io.counterkit.cli.datastore;

import org.jspecify.annotations.NullMarked;
