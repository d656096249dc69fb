package io.counterkit;

/** The effect of an entry on its subject, and thereby on the live count of the sequence. */
public enum Change {
    /** Adds a subject that is not live: live count +1. */
    ADDED(1, "addition"),
    /** Gives a live subject new fields: live count unchanged. */
    UPDATED(0, "update"),
    /** Removes a live subject, which may be added again: live count −1. */
    REMOVED(-1, "removal");

    private final int delta;
    private final String noun;

    Change(int delta, String noun) {
        this.delta = delta;
        this.noun = noun;
    }

    /** Returns the word for messages: "addition", "update" or "removal". */
    public String noun() {
        return noun;
    }

    /** Returns the number that is added to the live count: +1, 0 or −1. */
    public int delta() {
        return delta;
    }
}
