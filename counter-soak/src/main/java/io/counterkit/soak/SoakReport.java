package io.counterkit.soak;

import java.time.Duration;
import java.util.List;

/**
 * The result of a soak so far.
 *
 * @param names how many counters and sequences there are
 * @param differing how many of them differ from what was applied
 * @param differences how many differences were found
 * @param firstDifferences the first and the last difference of the first names that differ, in words
 * @param prefix the prefix of all names
 * @param seed the seed of the random numbers
 * @param operations how many operations began; a burst of adds is one
 * @param elapsed how long the workers have worked
 * @param adds how many adds were made
 * @param commits how many commits of adds the backend sent, retries included
 * @param committedAdds how many adds these commits carried
 * @param appends how many appends were made
 * @param reads how many strong reads were made
 * @param faults how many calls to the store had a fault
 * @param notApplied how many operations failed and changed nothing
 * @param refused how many appends the store refused because they do not fit their subject
 * @param unknown how many changes had an unknown outcome at first
 * @param unknownApplied how many of those were resolved as applied
 * @param stopped whether {@link SoakOptions.Builder#stopWhen} ended the work
 */
public record SoakReport(
        int names,
        int differing,
        long differences,
        List<String> firstDifferences,
        String prefix,
        long seed,
        long operations,
        Duration elapsed,
        long adds,
        long commits,
        long committedAdds,
        long appends,
        long reads,
        long faults,
        long notApplied,
        long refused,
        long unknown,
        long unknownApplied,
        boolean stopped) {
    public SoakReport {
        firstDifferences = List.copyOf(firstDifferences);
    }

    /** Returns whether no difference was found. */
    public boolean isExact() {
        return differences == 0;
    }
}
