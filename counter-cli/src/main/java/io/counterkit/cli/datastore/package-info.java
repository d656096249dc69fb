/**
 * A Datastore as a backend of the command line: in a Google Cloud project, on an emulator, or in a local directory. Start
 * at {@link io.counterkit.cli.datastore.DatastoreBackendFactory}.
 */
@NullMarked
package io.counterkit.cli.datastore;

import org.jspecify.annotations.NullMarked;
