package io.counterkit.soak.internal.worker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The differences that a soak has found. A broken name can have one for every operation, so only two of each name are
 * kept: the first, which is closest to the cause, and the last, which the final check reports. Thread-safe.
 */
public final class Findings {
    private static final int NAMES_LISTED = 10;

    private final Map<String, String> first = new LinkedHashMap<>();
    private final Map<String, String> last = new LinkedHashMap<>();
    private long count;

    /** Adds a difference of the counter or sequence {@code name}. */
    public synchronized void add(String name, String difference) {
        count++;
        if (first.putIfAbsent(name, difference) != null) {
            last.put(name, difference);
        }
    }

    /** Returns the number of differences. */
    public synchronized long count() {
        return count;
    }

    /** Returns how many names differ. */
    public synchronized int names() {
        return first.size();
    }

    /** Returns the differences of the first names, in words. */
    public synchronized List<String> texts() {
        return first.keySet().stream()
                .limit(NAMES_LISTED)
                .flatMap(name -> Stream.of(first, last)
                        .filter(found -> found.containsKey(name))
                        .map(found -> name + ": " + found.get(name)))
                .toList();
    }
}
