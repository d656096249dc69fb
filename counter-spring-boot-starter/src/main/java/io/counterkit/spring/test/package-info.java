/**
 * Tests of Spring Boot applications with counters in memory. Start at {@link io.counterkit.spring.test.CounterKitTest}.
 */
@NullMarked
package io.counterkit.spring.test;

import org.jspecify.annotations.NullMarked;
