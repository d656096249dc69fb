package io.counterkit.migration;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One call of one process that has not reached its store.
 *
 * @param process the index of the process
 * @param number the index of the call in the process
 * @param what the name of the call, as {@link Connection} names it
 */
public record Action(int process, int number, String what) {
    /** The state that each call reads (small letters) or changes (capitals): counter, sequence, entries, tokens, bases. */
    private static final Map<String, String> USES = Map.ofEntries(
            Map.entry("add", "CT"),
            Map.entry("read", "c"),
            Map.entry("sealCounter", "C"),
            Map.entry("append", "ST"),
            Map.entry("tail", "s"),
            Map.entry("entries", "se"),
            Map.entry("erase", "sE"),
            Map.entry("sealSequence", "S"),
            Map.entry("statesOfCounter", "c"),
            Map.entry("statesOfSequence", "s"),
            Map.entry("basesOfCounter", "x"),
            Map.entry("basesOfSequence", "y"),
            Map.entry("importBaseOfCounter", "CX"),
            Map.entry("importBaseOfSequence", "SY"),
            Map.entry("subject", "s"),
            Map.entry("importSubject", "S"),
            Map.entry("copy", "sE"),
            Map.entry("resolve", "T"));

    /** Returns whether the order of the two calls makes no difference. */
    boolean isIndependentOf(Action other) {
        return process != other.process
                && (!end().equals(other.end())
                        || (Collections.disjoint(changes(), other.all())
                                && Collections.disjoint(other.changes(), all())));
    }

    private Set<String> changes() {
        return letters(uses().replaceAll("[a-z]", ""));
    }

    private Set<String> all() {
        return letters(uses().toUpperCase(Locale.ROOT));
    }

    private static Set<String> letters(String uses) {
        return uses.isEmpty() ? Set.of() : Set.of(uses.split(""));
    }

    private String end() {
        return what.substring(0, what.indexOf('.'));
    }

    private String uses() {
        String uses = USES.get(what.substring(what.indexOf('.') + 1, what.indexOf('(')));
        if (uses == null) {
            throw new AssertionError("what does " + what + " use?");
        }
        return uses;
    }
}
