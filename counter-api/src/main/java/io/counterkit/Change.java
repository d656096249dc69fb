package io.counterkit;

/** What an entry does to its subject, and with it to the live count of the sequence. */
public enum Change {
    /** The subject becomes live: live count +1. Refused if it is live already. */
    ADDED(1, "addition"),
    /** The subject stays live with new fields: live count unchanged. Refused if it is not live. */
    UPDATED(0, "update"),
    /** The subject is live no longer: live count −1. Refused if it is not live. It may be added again. */
    REMOVED(-1, "removal");

    private final int delta;
    private final String noun;

    Change(int delta, String noun) {
        this.delta = delta;
        this.noun = noun;
    }

    /** Returns what messages call it: "addition", "update" or "removal". */
    public String noun() {
        return noun;
    }

    /** What is added to the live count: +1, 0 or −1. */
    public int delta() {
        return delta;
    }
}
