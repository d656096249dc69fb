package io.counterkit.tck;

/** What may happen to a call to the store. */
public enum StoreFault {
    /** It fails, and the store never sees it. The backend is told so in a way that its store tells such things. */
    FAIL_BEFORE,
    /** The store carries it out and the reply is lost. The backend sees an error, or a timeout, that leaves it open. */
    LOSE_REPLY,
    /**
     * It is held back until the fault ends, and only then reaches the store, also if nobody waits for it any longer: a
     * deadline or a cancellation on the way must not take it back.
     */
    HOLD
}
