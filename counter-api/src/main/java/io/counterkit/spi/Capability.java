package io.counterkit.spi;

/** An ability that not every store has. One that a backend does not declare is refused by the API layer. */
public enum Capability {
    /** Counters can be sealed, so that they can be migrated away while the application runs. */
    SEAL_COUNTERS("seal counters"),
    /** Sequences can be sealed, so that they can be migrated away while the application runs. */
    SEAL_SEQUENCES("seal sequences"),
    /** The largest counters under a prefix can be listed. */
    TOP("list the largest counters"),
    /** Counters and sequences can be taken over from another store: see {@link MigrationStore}. */
    IMPORT("import names from another store");

    private final String ability;

    Capability(String ability) {
        this.ability = ability;
    }

    /** What it lets a backend do, to be read after "cannot". */
    public String ability() {
        return ability;
    }
}
