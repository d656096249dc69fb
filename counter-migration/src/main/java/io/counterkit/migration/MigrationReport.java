package io.counterkit.migration;

import io.counterkit.spi.ChangeTarget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link MigrationJob} has done, or in a trial run would have done.
 *
 * @param counters what became of the counters
 * @param sequences what became of the sequences
 * @param failures why names failed, the first 1,000 of them; running the job again tries them again
 * @param next where to go on, if the time was over before the end; null at the end
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

    /** Nothing done. */
    static final MigrationReport EMPTY = new MigrationReport(Part.NONE, Part.NONE, List.of(), null);

    /**
     * Names of one kind.
     *
     * @param moved names that this job moved
     * @param alreadyMoved names that it found moved
     * @param waiting names whose turn has not come, as the percentage is
     * @param failed names with which something failed; may have been moved all the same, so that only entries are missing
     * @param copied entries that it copied
     * @param alreadyCopied entries that it found copied
     * @param left entries of moved names that are in the source only, because copying was not asked for
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

        public static Part ofEntries(long copied, long alreadyCopied, long left) {
            return new Part(0, 0, 0, 0, copied, alreadyCopied, left);
        }
    }

    /**
     * A name with which something failed.
     *
     * @param kind whether it is a counter or a sequence
     * @param name its name
     * @param reason what happened, for people
     */
    public record Failure(ChangeTarget.Kind kind, String name, String reason) {}

    /** Whether nothing failed. */
    public boolean isClean() {
        return counters.failed + sequences.failed == 0;
    }

    /**
     * Both together, with the end of {@code later}. A name that two steps came to, because the first one stopped in the
     * midst of its page, counts twice: the second time as moved already.
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
