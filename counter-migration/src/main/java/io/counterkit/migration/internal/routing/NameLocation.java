package io.counterkit.migration.internal.routing;

import io.counterkit.CounterException;
import org.jspecify.annotations.Nullable;

/**
 * The location of a name: the target, the source at the time of the read, or unknown.
 *
 * @param moved the record of a name that is at the target; null otherwise
 * @param failure why the location is unknown; null otherwise
 */
record NameLocation(@Nullable MoveRecord moved, @Nullable CounterException failure) {
    static final NameLocation AT_SOURCE = new NameLocation(null, null);
}
