package io.counterkit.migration;

import io.counterkit.spi.ChangeTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link MigrationVerifier} has seen.
 *
 * @param counters moved counters that it compared
 * @param sequences moved sequences that it compared
 * @param entries entries that it compared
 * @param notMoved names that are still in the source, and not in the target
 * @param onlyInTarget names in the target that the source does not know and that were not imported: they have nothing to
 *     do with the migration
 * @param differing how many differences there are in all
 * @param differences the first 1,000 of them
 * @param next where to go on, if the time was over before the end; null at the end
 */
public record VerificationReport(
        long counters,
        long sequences,
        long entries,
        long notMoved,
        long onlyInTarget,
        long differing,
        List<Difference> differences,
        @Nullable String next) {
    private static final int MOST_DIFFERENCES = 1000;

    /** Nothing seen. */
    static final VerificationReport EMPTY = new VerificationReport(0, 0, 0, 0, 0, 0, List.of(), null);

    public VerificationReport {
        differences = List.copyOf(differences);
    }

    /**
     * Something that is not as it has to be.
     *
     * @param kind whether it is with a counter or a sequence
     * @param name its name
     * @param what what differs, with both values, for people
     */
    public record Difference(ChangeTarget.Kind kind, String name, String what) {}

    /** Whether nothing differs. */
    public boolean isClean() {
        return differing == 0;
    }

    /** Both together, with the end of {@code later}. What two steps came to counts twice, differences too. */
    public VerificationReport plus(VerificationReport later) {
        List<Difference> both = new ArrayList<>(differences);
        later.differences.stream().limit(MOST_DIFFERENCES - both.size()).forEach(both::add);
        return new VerificationReport(
                counters + later.counters,
                sequences + later.sequences,
                entries + later.entries,
                notMoved + later.notMoved,
                onlyInTarget + later.onlyInTarget,
                differing + later.differing,
                both,
                later.next);
    }

    VerificationReport plusCompared(ChangeTarget.Kind kind) {
        return kind == ChangeTarget.Kind.COUNTER
                ? plus(new VerificationReport(1, 0, 0, 0, 0, 0, List.of(), null))
                : plus(new VerificationReport(0, 1, 0, 0, 0, 0, List.of(), null));
    }

    VerificationReport plusEntries(long compared) {
        return plus(new VerificationReport(0, 0, compared, 0, 0, 0, List.of(), null));
    }

    VerificationReport plusNotMoved() {
        return plus(new VerificationReport(0, 0, 0, 1, 0, 0, List.of(), null));
    }

    VerificationReport plusOnlyInTarget() {
        return plus(new VerificationReport(0, 0, 0, 0, 1, 0, List.of(), null));
    }

    VerificationReport plus(Difference difference) {
        return plus(new VerificationReport(0, 0, 0, 0, 0, 1, List.of(difference), null));
    }

    VerificationReport endingAt(@Nullable String position) {
        return new VerificationReport(
                counters, sequences, entries, notMoved, onlyInTarget, differing, differences, position);
    }
}
