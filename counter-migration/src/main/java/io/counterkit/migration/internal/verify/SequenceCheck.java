package io.counterkit.migration.internal.verify;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.migration.internal.job.Progress;
import io.counterkit.migration.internal.job.RetryingCalls;
import io.counterkit.migration.internal.job.SubjectCopier;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.ImportedState;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * Compares a sequence that has moved with its state at the source.
 *
 * @param random chooses the samples
 */
public record SequenceCheck(
        CounterBackend source,
        CounterBackend target,
        VerificationOptions options,
        RetryingCalls calls,
        RandomGenerator random) {
    private static final int SUBJECTS_AT_ONCE = 20;

    /**
     * Compares one sequence.
     *
     * @param done the number up to which an earlier step has compared the entries, or 0
     * @param differences receives each difference
     * @param compared receives how many entries were compared
     */
    public CompletableFuture<Progress> compare(
            String name,
            Seal seal,
            ImportedState base,
            long done,
            Consumer<String> differences,
            LongConsumer compared,
            BooleanSupplier isOver) {
        return calls.retry(call -> source.sequences().tail(name, call))
                .thenCompose(old -> calls.retry(call -> target.sequences().tail(name, call))
                        .thenCompose(current -> {
                            if (done == 0) {
                                compareTails(old, current, seal, base, differences);
                            }
                            EntryCheck check =
                                    new EntryCheck(base, current, options.copiedEntries(), differences, compared);
                            Iterator<NumberRange> ranges =
                                    SampleRanges.of(base.last(), done, current.last(), options.samples(), random);
                            return previous(name, base, done)
                                    .thenAccept(check::startAfter)
                                    .thenCompose(ready -> ranges.hasNext()
                                            ? compareNext(name, ranges, check, base, isOver)
                                            : CompletableFuture.completedFuture(Progress.COMPLETE));
                        }));
    }

    /** Returns the entry of this number if its live count determines that of the next one; otherwise none. */
    private CompletableFuture<List<Entry>> previous(String name, ImportedState base, long number) {
        return number <= base.last()
                ? CompletableFuture.completedFuture(List.of())
                : calls.retry(call -> target.sequences().read(name, new NumberRange(number, number), call));
    }

    private void compareTails(Tail old, Tail current, Seal seal, ImportedState base, Consumer<String> differences) {
        if (old.last() != seal.last() || old.liveCount() != seal.liveCount()) {
            differences.accept("the source was sealed at " + words(seal.last(), seal.liveCount()) + ", and holds "
                    + words(old.last(), old.liveCount()));
        }
        if (current.last() < base.last()) {
            differences.accept("the target began at last number " + base.last() + ", and is at " + current.last());
        }
        boolean isUnchanged = current.last() == base.last() && current.liveCount() == base.value();
        if (!isUnchanged && (options.quietTarget() || current.last() == base.last())) {
            differences.accept("the target began with " + words(base.last(), base.value()) + ", and holds "
                    + words(current.last(), current.liveCount()));
        }
    }

    private static String words(long last, long liveCount) {
        return "last number " + last + " and live count " + liveCount;
    }

    private CompletableFuture<Progress> compareEntries(
            String name,
            Iterator<NumberRange> ranges,
            EntryCheck check,
            ImportedState base,
            long done,
            BooleanSupplier isOver) {
        if (!ranges.hasNext() || isOver.getAsBoolean()) {
            return CompletableFuture.completedFuture(ranges.hasNext() ? Progress.upTo(done) : Progress.COMPLETE);
        }
        return compareNext(name, ranges, check, base, isOver);
    }

    /** Compares at least one range, so that each step makes progress. */
    private CompletableFuture<Progress> compareNext(
            String name, Iterator<NumberRange> ranges, EntryCheck check, ImportedState base, BooleanSupplier isOver) {
        NumberRange range = ranges.next();
        return compareRange(name, range, check, base, false)
                .thenCompose(compared -> compareEntries(name, ranges, check, base, range.to(), isOver));
    }

    /** Compares a range, and reads it again if copies differ, since an entry may have been erased between the reads. */
    private CompletableFuture<Void> compareRange(
            String name, NumberRange range, EntryCheck check, ImportedState base, boolean isAgain) {
        return calls.retry(call -> target.sequences().read(name, range, call))
                .thenCompose(copies -> originals(name, range, base.last()).thenCompose(originals -> {
                    if (!isAgain && EntryCheck.isAnyDifferent(originals, copies)) {
                        return compareRange(name, range, check, base, true);
                    }
                    check.compare(range, originals, copies);
                    return compareSubjects(name, base, copies, check);
                }));
    }

    /** Checks that the target knows the subjects of copied entries: without the source it has to. */
    private CompletableFuture<Void> compareSubjects(
            String name, ImportedState base, List<Entry> entries, EntryCheck check) {
        List<Entry> copies = options.copiedEntries()
                ? entries.stream()
                        .filter(entry -> entry.number() <= base.last())
                        .toList()
                : List.of();
        List<String> subjects = SubjectCopier.subjectsOf(copies);
        return Futures.inGroups(
                        subjects,
                        SUBJECTS_AT_ONCE,
                        subject -> calls.retry(call -> target.migration().subject(name, subject, call))
                                .thenAccept(known -> check.compareSubject(subject, known.isPresent())))
                .thenAccept(done -> {});
    }

    private CompletableFuture<List<Entry>> originals(String name, NumberRange range, long last) {
        return range.from() > last
                ? CompletableFuture.completedFuture(List.of())
                : calls.retry(call ->
                        source.sequences().read(name, new NumberRange(range.from(), Math.min(range.to(), last)), call));
    }
}
