package io.counterkit.tck.internal.history;

import io.counterkit.Seal;
import org.jspecify.annotations.Nullable;

/** The common state of counters and sequences: their tokens, and their seal. Immutable. */
interface ObjectState<S extends ObjectState<S>> {
    TokenResolutions tokens();

    @Nullable Seal seal();

    S withTokens(TokenResolutions tokens);

    /** Returns the object after it was sealed; null if it is sealed with another address. */
    @Nullable S sealed(String forward);

    /** Returns whether the store's list has the name of the object. */
    boolean isListed();

    /** Returns whether a read may fail since the total is out of range. */
    default boolean isOutOfRange() {
        return false;
    }

    default boolean isSealed() {
        return seal() != null;
    }

    /** Returns whether the object may be sealed with this address: it is not, or with the same one. */
    default boolean canSeal(String forward) {
        Seal seal = seal();
        return seal == null || seal.forward().equals(forward);
    }
}
