/**
 * Implements the API over a backend: checks arguments, submits requests and gives failures their outcome. Start at
 * {@link io.counterkit.internal.request.DefaultCounters}; an add takes its path through
 * {@link io.counterkit.internal.request.CounterOperations}.
 */
@NullMarked
package io.counterkit.internal.request;

import org.jspecify.annotations.NullMarked;
