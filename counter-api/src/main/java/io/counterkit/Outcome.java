package io.counterkit;

/** The outcome of an operation that failed: see {@link CounterException#outcome()}. */
public enum Outcome {
    /** The call changed nothing and never will: see {@link NotAppliedException}. Repeating it is safe. */
    NOT_APPLIED,

    /** The change was applied, or was not, or still may be: see {@link OutcomeUnknownException}. */
    UNKNOWN
}
