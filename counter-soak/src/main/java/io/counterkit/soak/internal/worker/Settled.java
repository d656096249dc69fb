package io.counterkit.soak.internal.worker;

import io.counterkit.NotAppliedException;
import org.jspecify.annotations.Nullable;

/** The final outcome of a change. */
sealed interface Settled<T> {
    record Applied<T>(T result) implements Settled<T> {}

    /**
     * The change was not applied and never will be.
     *
     * @param refusal the failure; null if resolving the token gave this outcome
     */
    record NotApplied<T>(@Nullable NotAppliedException refusal) implements Settled<T> {}

    /** The outcome could not be resolved. */
    record Unknown<T>() implements Settled<T> {}
}
