package io.counterkit.migration;

import io.counterkit.spi.ChangeTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a {@link MigrationJob}; in a dry run, the result that the job would have.
 *
 * @param counters the counts of the counters
 * @param sequences the counts of the sequences
 * @param failures the first 1,000 failures; run the job again to retry these names
 * @param next the position to resume from if the time ran out before the end; null at the end
 */
public record MigrationReport(
        Part counters,
        Part sequences,
        List<Failure> failures,
        @Nullable String next) {
    private static final int MOST_FAILURES = 1000;

    public MigrationReport {
        failures = List.copyOf(failures);
    }

    static final MigrationReport EMPTY = new MigrationReport(Part.NONE, Part.NONE, List.of(), null);

    /**
     * The counts of one kind of names.
     *
     * @param moved the names that this job moved
     * @param alreadyMoved the names that had moved before
     * @param waiting the names that the rollout does not include
     * @param failed the names that failed; they may have moved and lack only copies of entries
     * @param copied the entries that this job copied
     * @param alreadyCopied the entries that had been copied before
     * @param left the entries of moved names that stay at the source, because the job does not copy entries
     */
    public record Part(
            long moved, long alreadyMoved, long waiting, long failed, long copied, long alreadyCopied, long left) {
        static final Part NONE = new Part(0, 0, 0, 0, 0, 0, 0);

        Part plus(Part other) {
            return new Part(
                    moved + other.moved,
                    alreadyMoved + other.alreadyMoved,
                    waiting + other.waiting,
                    failed + other.failed,
                    copied + other.copied,
                    alreadyCopied + other.alreadyCopied,
                    left + other.left);
        }

        static Part ofMoved() {
            return new Part(1, 0, 0, 0, 0, 0, 0);
        }

        static Part ofAlreadyMoved() {
            return new Part(0, 1, 0, 0, 0, 0, 0);
        }

        static Part ofWaiting() {
            return new Part(0, 0, 1, 0, 0, 0, 0);
        }

        static Part ofFailed() {
            return new Part(0, 0, 0, 1, 0, 0, 0);
        }

        /** Returns counts of entries only. */
        public static Part ofEntries(long copied, long alreadyCopied, long left) {
            return new Part(0, 0, 0, 0, copied, alreadyCopied, left);
        }
    }

    /**
     * A name that failed.
     *
     * @param kind counter or sequence
     * @param name the name
     * @param reason the reason, in words
     */
    public record Failure(ChangeTarget.Kind kind, String name, String reason) {}

    /** Returns whether no name failed. */
    public boolean isClean() {
        return counters.failed + sequences.failed == 0;
    }

    /**
     * Returns the sum of two steps, with the position of {@code later}. A name that both steps visited, because the
     * first one stopped within its page, counts twice: the second time as already moved.
     */
    public MigrationReport plus(MigrationReport later) {
        List<Failure> both = new ArrayList<>(failures);
        later.failures.stream().limit(MOST_FAILURES - both.size()).forEach(both::add);
        return new MigrationReport(counters.plus(later.counters), sequences.plus(later.sequences), both, later.next);
    }

    MigrationReport plus(ChangeTarget.Kind kind, Part part) {
        return kind == ChangeTarget.Kind.COUNTER
                ? new MigrationReport(counters.plus(part), sequences, failures, next)
                : new MigrationReport(counters, sequences.plus(part), failures, next);
    }

    MigrationReport plus(Failure failure) {
        MigrationReport counted = plus(failure.kind(), Part.ofFailed());
        return counted.plus(new MigrationReport(Part.NONE, Part.NONE, List.of(failure), null));
    }

    MigrationReport endingAt(@Nullable String position) {
        return new MigrationReport(counters, sequences, failures, position);
    }
}
