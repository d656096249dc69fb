/** Sequences on the App Engine Datastore against the algorithms that they replace. Start at {@code CompareSequences}. */
@NullMarked
package io.counterkit.benchmarks.datastore;

import org.jspecify.annotations.NullMarked;
