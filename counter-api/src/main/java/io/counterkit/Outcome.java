package io.counterkit;

/** What became of an operation that failed: the first thing to ask of any {@link CounterException}. */
public enum Outcome {
    /** Nothing was changed, and nothing will be later on. Repeating the operation cannot apply it twice. */
    NOT_APPLIED,

    /** The change was applied, or was not, or may still be. Its token decides: see {@link OutcomeUnknownException}. */
    UNKNOWN
}
