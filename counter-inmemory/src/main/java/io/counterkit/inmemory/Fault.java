package io.counterkit.inmemory;

/** A fault of a call to the store. */
public enum Fault {
    /** The call fails and changes nothing: not applied. */
    FAIL,
    /** The call is made and its reply is lost: outcome unknown. */
    LOSE_REPLY,
    /** The call is made and answered only after {@link Injection#release()}. */
    HOLD
}
