package io.counterkit.cli.ingest;

import io.counterkit.IdempotencyToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The adds that are given up: those that surely were not applied, by name, and those of which nobody knows. */
final class Unsettled {
    private final Map<String, NotApplied> notApplied = new TreeMap<>();
    private final List<Unknown> unknown = new ArrayList<>();

    void notApplied(PendingAdd add) {
        notApplied.merge(add.tally.name(), new NotApplied(add.tally.name(), 1, add.delta, add.why), NotApplied::plus);
    }

    void unknown(PendingAdd add) {
        add.tally.doubt();
        unknown.add(new Unknown(add.tally.name(), add.delta, Objects.requireNonNull(add.token)));
    }

    List<NotApplied> notApplied() {
        return List.copyOf(notApplied.values());
    }

    List<Unknown> unknown() {
        return List.copyOf(unknown);
    }

    /**
     * Adds to one counter that were not applied.
     *
     * @param adds how many
     * @param sum what they come to
     * @param why of the last one
     */
    record NotApplied(String name, long adds, long sum, String why) {
        private NotApplied plus(NotApplied more) {
            return new NotApplied(name, adds + more.adds, sum + more.sum, more.why);
        }
    }

    /** An add of which nobody knows whether it was applied; its token decides once the store answers. */
    record Unknown(String name, long delta, IdempotencyToken token) {}
}
