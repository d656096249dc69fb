package io.counterkit;

/** What became of an operation that failed: the first thing to ask of any {@link CounterException}. */
public enum Outcome {
    /**
     * This call changed nothing and never will; with a token of the caller's, another call may have applied the same change.
     * Repeating it is safe.
     */
    NOT_APPLIED,

    /** The change was applied, or was not, or may still be. Its token decides: see {@link OutcomeUnknownException}. */
    UNKNOWN
}
