package io.counterkit;

/**
 * The decided outcome of a token: see {@link Counters#resolve(IdempotencyToken)}. {@code toString} describes it in
 * words.
 */
public sealed interface Resolution {
    /** Returns whether the change with the token was applied. */
    default boolean applied() {
        return true;
    }

    /**
     * An add was applied.
     *
     * @param counter the counter's name
     * @param delta the number that was added
     */
    record Added(String counter, long delta) implements Resolution {
        @Override
        public String toString() {
            return "an add of " + delta + " to '" + counter + "'";
        }
    }

    /**
     * An entry was appended.
     *
     * @param sequence the sequence's name
     * @param number the number of the entry
     */
    record Appended(String sequence, long number) implements Resolution {
        @Override
        public String toString() {
            return "entry " + number + " of '" + sequence + "'";
        }
    }

    /**
     * A reset, deletion, erasure or seal was applied.
     *
     * @param name the name of the counter or sequence
     */
    record Done(String name) implements Resolution {
        @Override
        public String toString() {
            return "another change of '" + name + "'";
        }
    }

    /** A transaction of the application was committed, with all its changes: see {@link CounterTransaction}. */
    record Committed() implements Resolution {
        @Override
        public String toString() {
            return "a transaction of the application";
        }
    }

    /** Nothing was applied with the token, and nothing ever will be. To try again, use a new token. */
    record NotApplied() implements Resolution {
        @Override
        public boolean applied() {
            return false;
        }

        @Override
        public String toString() {
            return "a change that was resolved as not applied";
        }
    }
}
