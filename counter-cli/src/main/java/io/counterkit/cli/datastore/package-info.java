/**
 * Counters on a local Datastore, in this process and a directory. Start at
 * {@link io.counterkit.cli.datastore.DatastoreBackendFactory}.
 */
@NullMarked
package io.counterkit.cli.datastore;

import org.jspecify.annotations.NullMarked;
