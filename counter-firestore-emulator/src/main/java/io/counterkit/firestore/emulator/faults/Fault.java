package io.counterkit.firestore.emulator.faults;

/** A fault of one call from Firestore's client to the store. */
public enum Fault {
    /** The call fails before it reaches the store. */
    FAIL,
    /** The store executes the call, and the client receives an error instead of the reply. */
    LOSE_REPLY,
    /** The call reaches the store when the fault ends, even if the client has given up by then. */
    HOLD
}
