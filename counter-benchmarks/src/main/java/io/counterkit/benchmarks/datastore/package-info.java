/**
 * Benchmarks of sequences on the App Engine Datastore, compared with the algorithms that they replace. Start at
 * {@link io.counterkit.benchmarks.datastore.CompareSequences}.
 */
@NullMarked
package io.counterkit.benchmarks.datastore;

import org.jspecify.annotations.NullMarked;
