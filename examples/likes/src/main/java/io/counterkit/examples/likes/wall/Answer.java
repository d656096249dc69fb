package io.counterkit.examples.likes.wall;

import io.counterkit.ChangeRefusedException;
import io.counterkit.NotAppliedException;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;

/**
 * The answer to a change.
 *
 * @param state its outcome
 * @param number the number that the change got; 0 if it has none
 * @param why why it was not applied or is unknown; empty if it was applied
 */
public record Answer(State state, long number, String why) {
    /** The outcome of a change. */
    public enum State {
        /** Applied, now or by an earlier request with the same token. */
        APPLIED,
        /** Nothing was changed. The change can be sent again. */
        NOT_APPLIED,
        /** Nothing was changed, and sending the change again is useless. */
        REFUSED,
        /** Not known yet. The {@link Settler} resolves it. */
        UNKNOWN
    }

    /** Returns whether repeating the change cannot alter this answer. */
    boolean isDecided() {
        return state == State.APPLIED || state == State.REFUSED;
    }

    static Answer applied(long number) {
        return new Answer(State.APPLIED, number, "");
    }

    static Answer notApplied(NotAppliedException reason) {
        boolean isFinal = reason instanceof TokenRefusedException
                || reason instanceof ChangeRefusedException
                || reason instanceof SealedException;
        String why = String.valueOf(reason.getMessage());
        return isFinal ? refused(why) : new Answer(State.NOT_APPLIED, 0, why);
    }

    static Answer refused(String why) {
        return new Answer(State.REFUSED, 0, why);
    }

    static Answer unknown(String why) {
        return new Answer(State.UNKNOWN, 0, why);
    }
}
