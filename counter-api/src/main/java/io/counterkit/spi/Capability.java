package io.counterkit.spi;

/**
 * An optional ability of a backend. The API layer refuses an operation that needs a capability that the backend does
 * not declare.
 */
public enum Capability {
    /** Counters can be sealed, and so be moved to another store while the application runs. */
    SEAL_COUNTERS("seal counters"),
    /** Sequences can be sealed, and so be moved to another store while the application runs. */
    SEAL_SEQUENCES("seal sequences"),
    /** The largest counters under a prefix can be listed. */
    TOP("list the largest counters"),
    /** Counters and sequences can be imported from another store: see {@link MigrationStore}. */
    IMPORT("import names from another store");

    private final String ability;

    Capability(String ability) {
        this.ability = ability;
    }

    /** Returns the ability in words, to follow "cannot" in a message. */
    public String ability() {
        return ability;
    }
}
