package io.counterkit.firestore.attack;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** How often each event happened. Thread-safe. */
final class AttackStatistics {
    /** An event; {@code ADAPTED} is a counter with more shards than any call asked for. */
    enum Event {
        ADD,
        APPLIED,
        UNKNOWN,
        TRANSACTION,
        DISTURBED_CALL,
        LATE_COMMIT,
        STAMP_PRESENT,
        PROCESS,
        CLONE,
        KILL,
        IMPORT,
        RESET,
        DELETION,
        RESHARDING,
        SEAL,
        FOREIGN_INCREMENT,
        FAILED_CHANGE,
        ADAPTED
    }

    private final Map<Event, LongAdder> counts = new EnumMap<>(Event.class);

    AttackStatistics() {
        for (Event event : Event.values()) {
            counts.put(event, new LongAdder());
        }
    }

    void count(Event event) {
        count(event, 1);
    }

    void count(Event event, long times) {
        counts.get(event).add(times);
    }

    long get(Event event) {
        return counts.get(event).sum();
    }

    @Override
    public String toString() {
        return Arrays.stream(Event.values())
                .map(event -> event.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + get(event))
                .collect(Collectors.joining(", "));
    }
}
