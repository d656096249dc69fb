/**
 * Implements the API over a backend: checks arguments, submits requests, and states the outcome of each failure. Start
 * at {@link io.counterkit.internal.request.DefaultCounters}; for the path of an add, continue with {@link
 * io.counterkit.internal.request.CounterOperations}.
 */
@NullMarked
package io.counterkit.internal.request;

import org.jspecify.annotations.NullMarked;
