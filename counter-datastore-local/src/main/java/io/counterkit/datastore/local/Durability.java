package io.counterkit.datastore.local;

/** When what was changed is safe from the end of the process. */
public enum Durability {
    /**
     * Once the Datastore is closed. A process that is killed before that changed nothing. For a process that does one
     * thing and ends.
     */
    WHEN_CLOSED,
    /**
     * Before the change is acknowledged or seen by a read, so that a process may be killed at any time. A write replaces
     * the whole file, and one write serves all changes that wait for it: for thousands of entities, not for millions.
     */
    EACH_COMMIT
}
