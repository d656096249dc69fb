package io.counterkit.migration.internal.routing;

import io.counterkit.CounterException;
import org.jspecify.annotations.Nullable;

/**
 * Where a name is: at the target; or at the source, as it was at the moment of the look; or not known.
 *
 * @param moved what is known of a name that is at the target; null otherwise
 * @param failure why it is not known; null otherwise
 */
record NameLocation(@Nullable MoveRecord moved, @Nullable CounterException failure) {
    static final NameLocation AT_SOURCE = new NameLocation(null, null);
}
