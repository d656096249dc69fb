/**
 * Puts the counters of a test in memory, and gives each test of a slice its own store. Start at {@code
 * TestCustomizerFactory}, which {@code META-INF/spring.factories} names.
 */
@NullMarked
package io.counterkit.spring.internal.slice;

import org.jspecify.annotations.NullMarked;
