package io.counterkit.inmemory;

/** What can happen to a call on its way to the store and back. */
public enum Fault {
    /** The call fails before anything is applied, and says so: not applied. */
    FAIL,
    /** The call is carried out and its reply is lost: outcome unknown. */
    LOSE_REPLY,
    /** The call is carried out and answered only after {@link Injection#release()}. */
    HOLD
}
