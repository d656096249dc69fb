package io.counterkit.cli.soak;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What was found to differ from what has to be. One broken name can give a finding for every operation; kept are the
 * first of each name, which is next to the cause, and the last, which is from the final check. Thread-safe.
 */
final class Findings {
    private static final int NAMES_TOLD = 10;

    private final Map<String, String> first = new LinkedHashMap<>();
    private final Map<String, String> last = new LinkedHashMap<>();
    private long count;

    /** Something about the counter or sequence of this name differs. */
    synchronized void add(String name, String text) {
        count++;
        if (first.putIfAbsent(name, text) != null) {
            last.put(name, text);
        }
    }

    /** How many findings there are. */
    synchronized long count() {
        return count;
    }

    /** How many names they concern. */
    synchronized int names() {
        return first.size();
    }

    /** Those of the first names. */
    synchronized List<String> texts() {
        return first.keySet().stream()
                .limit(NAMES_TOLD)
                .flatMap(name -> Stream.of(first, last)
                        .filter(found -> found.containsKey(name))
                        .map(found -> name + ": " + found.get(name)))
                .toList();
    }
}
