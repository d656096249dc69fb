package io.counterkit.datastore.local;

/** When a change survives the end of the process. */
public enum Durability {
    /**
     * When the Datastore is closed. If the process is killed before, no change is stored. For a process that runs one
     * operation.
     */
    WHEN_CLOSED,
    /**
     * Before the change is acknowledged or a read returns it, so that the process may be killed at any time. A write
     * replaces the whole file, and covers all changes that wait for it: for thousands of entities, not for millions.
     */
    EACH_COMMIT
}
