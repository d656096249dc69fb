package io.counterkit.migration;

import java.util.Set;

/**
 * One call of one process that is on its way to a store.
 *
 * @param process which one
 * @param number which of its calls
 * @param what the call, as {@link Wire} names it
 */
record Action(int process, int number, String what) {
    private static final Set<String> READS =
            Set.of("read", "tail", "entries", "states", "bases", "subject", "names", "sequences");

    /** Whether the order of the two makes no difference. */
    boolean isIndependentOf(Action other) {
        return process != other.process && (!end().equals(other.end()) || (isRead() && other.isRead()));
    }

    private String end() {
        return what.substring(0, what.indexOf('.'));
    }

    private boolean isRead() {
        return READS.contains(what.substring(what.indexOf('.') + 1, what.indexOf('(')));
    }
}
