package io.counterkit;

/**
 * What a token was found to stand for, once and for all: see {@link Counters#resolve(IdempotencyToken)}. As a text it says
 * so in words.
 */
public sealed interface Resolution {
    /** Whether the change that carried the token was applied. */
    default boolean applied() {
        return true;
    }

    /**
     * An add was applied.
     *
     * @param counter the counter's name
     * @param delta what was added
     */
    record Added(String counter, long delta) implements Resolution {
        /** In words, for messages. */
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
        /** In words, for messages. */
        @Override
        public String toString() {
            return "entry " + number + " of '" + sequence + "'";
        }
    }

    /**
     * A reset, delete, erase or seal was carried out.
     *
     * @param name the name of the counter or sequence
     */
    record Done(String name) implements Resolution {
        /** In words, for messages. */
        @Override
        public String toString() {
            return "another change of '" + name + "'";
        }
    }

    /** Nothing was applied under the token, and now nothing can be: use a new token to try again. */
    record NotApplied() implements Resolution {
        @Override
        public boolean applied() {
            return false;
        }

        /** In words, for messages. */
        @Override
        public String toString() {
            return "a change that was resolved as not applied";
        }
    }
}
