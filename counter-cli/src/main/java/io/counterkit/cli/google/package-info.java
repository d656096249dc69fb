/**
 * Firestore and the Datastore as backends of the command line: on Google Cloud, on an emulator, or in a local
 * directory. Each {@code BackendFactory} has the options, and loads no class of a client. Start at
 * {@code FirestoreBackendFactory}.
 */
@NullMarked
package io.counterkit.cli.google;

import org.jspecify.annotations.NullMarked;
