/**
 * The contract of CounterKit as tests. Start at {@link io.counterkit.tck.CounterBackendContract}: extend it, give it a
 * {@link io.counterkit.tck.BackendFixture}, and run it with JUnit. The chapters are in the
 * packages of {@code io.counterkit.tck.chapter}, the rules in {@code SPEC.md} beside these classes.
 */
@NullMarked
package io.counterkit.tck;

import org.jspecify.annotations.NullMarked;
