package io.counterkit.cli.soak;

import io.counterkit.NotAppliedException;
import org.jspecify.annotations.Nullable;

/** What became of a change. */
sealed interface Fate<T> {
    /**
     * It was applied.
     *
     * @param result what it gave; null if it gives nothing
     */
    record Applied<T>(@Nullable T result) implements Fate<T> {}

    /**
     * It was not applied and never will be.
     *
     * @param refusal why; null if that is only known from resolving its token
     */
    record NotApplied<T>(@Nullable NotAppliedException refusal) implements Fate<T> {}

    /** It could not be found out. */
    record Undecided<T>() implements Fate<T> {}
}
