/**
 * Implements the API over any backend: checks arguments, submits requests and turns failures into outcomes. Start at
 * {@link io.counterkit.internal.request.DefaultCounters}; {@link io.counterkit.internal.request.AddSubmitter} is the
 * path of an add.
 */
@NullMarked
package io.counterkit.internal.request;

import org.jspecify.annotations.NullMarked;
