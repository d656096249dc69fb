package io.counterkit.tck.internal.history;

import org.jspecify.annotations.Nullable;

/** The effect of an operation on the state of its object. */
interface Step<S> {
    /** Returns the state after the operation, or null if its answer is impossible in this state. */
    @Nullable S after(S before);
}
