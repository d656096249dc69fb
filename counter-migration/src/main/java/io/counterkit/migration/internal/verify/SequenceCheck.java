package io.counterkit.migration.internal.verify;

import io.counterkit.CountersListener;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.migration.internal.job.RetryingCalls;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/** Compares a sequence that has moved with what it is in the source. */
public final class SequenceCheck {
    private final CounterBackend source;
    private final CounterBackend target;
    private final VerificationOptions options;
    private final RetryingCalls attempts;
    private final RandomGenerator random;

    /** @param random chooses the samples */
    public SequenceCheck(
            CounterBackend source,
            CounterBackend target,
            VerificationOptions options,
            RetryingCalls attempts,
            RandomGenerator random) {
        this.source = source;
        this.target = target;
        this.options = options;
        this.attempts = attempts;
        this.random = random;
    }

    /**
     * Compares one.
     *
     * @param differ hears of each difference
     * @param compared hears how many entries were compared
     * @return whether it was compared to its end, or the time was over before
     */
    public CompletableFuture<Boolean> compare(
            String name,
            Seal seal,
            ImportedState base,
            Consumer<String> differ,
            LongConsumer compared,
            BooleanSupplier isOver) {
        return attempts.of(() -> source.sequences().tail(name, call()))
                .thenCompose(before -> attempts.of(() -> target.sequences().tail(name, call()))
                        .thenCompose(now -> {
                            compareTails(before, now, seal, base, differ);
                            EntryCheck entries = new EntryCheck(base, now, options.copiedEntries(), differ, compared);
                            Iterator<NumberRange> ranges =
                                    Samples.of(base.last(), now.last(), options.samples(), random);
                            return compareEntries(name, ranges, entries, base, isOver);
                        }));
    }

    private void compareTails(Tail before, Tail now, Seal seal, ImportedState base, Consumer<String> differ) {
        if (before.last() != seal.last() || before.liveCount() != seal.liveCount()) {
            differ.accept("the source was sealed at " + said(seal.last(), seal.liveCount()) + ", and holds "
                    + said(before.last(), before.liveCount()));
        }
        if (now.last() < base.last()) {
            differ.accept("the target began at last number " + base.last() + ", and is at " + now.last());
        }
        boolean isAsItBegan = now.last() == base.last() && now.liveCount() == base.value();
        if (!isAsItBegan && (options.quietTarget() || now.last() == base.last())) {
            differ.accept("the target began with " + said(base.last(), base.value()) + ", and holds "
                    + said(now.last(), now.liveCount()));
        }
    }

    private static String said(long last, long liveCount) {
        return "last number " + last + " and live count " + liveCount;
    }

    private CompletableFuture<Boolean> compareEntries(
            String name, Iterator<NumberRange> ranges, EntryCheck entries, ImportedState base, BooleanSupplier isOver) {
        if (!ranges.hasNext() || isOver.getAsBoolean()) {
            return CompletableFuture.completedFuture(!ranges.hasNext());
        }
        NumberRange range = ranges.next();
        return attempts.of(() -> target.sequences().read(name, range, call()))
                .thenCompose(now -> range.from() > base.last()
                        ? CompletableFuture.completedFuture(entries.compare(range, List.of(), now))
                        : attempts.of(() -> source.sequences()
                                        .read(
                                                name,
                                                new NumberRange(range.from(), Math.min(range.to(), base.last())),
                                                call()))
                                .thenApply(before -> entries.compare(range, before, now)))
                .thenCompose(done -> compareEntries(name, ranges, entries, base, isOver));
    }

    private Call call() {
        return new Call(options.deadline(), CountersListener.disabled());
    }
}
