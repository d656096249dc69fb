package io.counterkit.examples.likes.wall;

import io.counterkit.ChangeRefusedException;
import io.counterkit.NotAppliedException;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;

/**
 * What a person is told of a change.
 *
 * @param state what became of it
 * @param number the number that it got; 0 if it gets none, or has none yet
 * @param why why it was not done, or is not known; empty if it was done
 */
public record Answer(State state, long number, String why) {
    /** What became of a change. */
    public enum State {
        /** Done, now or by an earlier request with the same token. */
        APPLIED,
        /** Nothing happened, and trying again is safe. */
        NOT_APPLIED,
        /** It does not make sense any more, and never will. Nothing happened. */
        REFUSED,
        /** Nobody knows yet. It is found out in the background. */
        UNKNOWN
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
