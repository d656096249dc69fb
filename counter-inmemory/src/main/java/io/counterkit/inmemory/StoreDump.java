package io.counterkit.inmemory;

import io.counterkit.Entry;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The content of a store in memory.
 *
 * @param counters the total of each counter that is present
 * @param sequences the entries of each sequence that has an entry or a seal
 * @param tokens how many tokens are remembered
 */
public record StoreDump(SortedMap<String, Long> counters, SortedMap<String, List<Entry>> sequences, int tokens) {
    public StoreDump {
        counters = Collections.unmodifiableSortedMap(new TreeMap<>(counters));
        sequences = Collections.unmodifiableSortedMap(new TreeMap<>(sequences));
    }

    /** Returns one line for each counter and each entry, and one for the number of tokens. */
    @Override
    public String toString() {
        StringBuilder lines = new StringBuilder();
        counters.forEach(
                (name, total) -> lines.append(name).append(" = ").append(total).append('\n'));
        sequences.forEach((name, entries) -> entries.forEach(entry -> lines.append(name)
                .append(" #")
                .append(entry.number())
                .append(' ')
                .append(entry.change())
                .append(entry.subject() == null ? "" : " " + entry.subject())
                .append(' ')
                .append(entry.fields())
                .append('\n')));
        return lines.append(tokens).append(" tokens").toString();
    }
}
