package io.counterkit.tck;

/** A fault of one call to the store. */
public enum StoreFault {
    /** The call fails and never reaches the store. The backend receives the error with which its store reports this. */
    FAIL_BEFORE,
    /**
     * The store carries out the call and the reply is lost. The backend receives an error or a timeout that leaves the
     * outcome open.
     */
    LOSE_REPLY,
    /**
     * The call is held until the fault ends and reaches the store only then, even if its caller has given up. A
     * deadline or a cancellation must not withdraw it.
     */
    HOLD
}
