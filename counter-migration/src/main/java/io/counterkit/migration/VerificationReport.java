package io.counterkit.migration;

import io.counterkit.spi.ChangeTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a {@link MigrationVerifier}.
 *
 * @param counters how many moved counters were compared
 * @param sequences how many moved sequences were compared
 * @param entries how many entries were compared
 * @param notMoved how many names are at the source only
 * @param onlyInTarget how many names are at the target only and were not imported; the migration does not concern them
 * @param differing how many differences were found
 * @param differences the first 1,000 differences
 * @param next the position to resume from if the time ran out before the end; null at the end
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

    static final VerificationReport EMPTY = new VerificationReport(0, 0, 0, 0, 0, 0, List.of(), null);

    public VerificationReport {
        differences = List.copyOf(differences);
    }

    /**
     * A difference between source and target.
     *
     * @param kind counter or sequence
     * @param name the name
     * @param what the difference with both values, in words
     */
    public record Difference(ChangeTarget.Kind kind, String name, String what) {}

    /** Returns whether nothing differs. */
    public boolean isClean() {
        return differing == 0;
    }

    /**
     * Returns the sum of two steps, with the position of {@code later}. Names that both steps visited count
     * twice, except the sequence that the later step continues.
     */
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
        boolean isCounter = kind == ChangeTarget.Kind.COUNTER;
        return plus(new VerificationReport(isCounter ? 1 : 0, isCounter ? 0 : 1, 0, 0, 0, 0, List.of(), null));
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
