package io.counterkit.datastore;

/**
 * How a process finds the newest number of a chain that it has not used yet. Each finds the right one, whatever the
 * state of the store's indexes: what a query gives is a hint, from which the chain is followed by reading entries.
 */
public enum TailStrategy {
    /**
     * The query for the newest number gives a hint, and from there the chain is probed. One call where the index is
     * fresh, and never more than a handful.
     */
    QUERY_THEN_PROBE,
    /**
     * The query for the newest number gives a hint, and from there the chain is walked entry by entry, 32 to a call.
     * What the article does; the calls grow with what the query misses.
     */
    QUERY,
    /**
     * No query at all. Since numbers have no gaps, a number exists if and only if all before it do, so that reading the
     * entries 1, 2, 4, 8, … encloses the last one: 5 calls for a million entries.
     */
    PROBE;

    public boolean queries() {
        return this != PROBE;
    }

    public boolean probes() {
        return this != QUERY;
    }
}
