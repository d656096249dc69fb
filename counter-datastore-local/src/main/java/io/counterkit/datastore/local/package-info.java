/**
 * App Engine's local Datastore with a directory of its own, for programs and tests that have no server. Start at
 * {@link io.counterkit.datastore.local.LocalDatastore}.
 */
@NullMarked
package io.counterkit.datastore.local;

import org.jspecify.annotations.NullMarked;
