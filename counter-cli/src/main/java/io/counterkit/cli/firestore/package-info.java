/**
 * Firestore as a backend of the command line. Start at {@link io.counterkit.cli.firestore.FirestoreBackendFactory}, which
 * has the options and loads no class of the client.
 */
@NullMarked
package io.counterkit.cli.firestore;

import org.jspecify.annotations.NullMarked;
