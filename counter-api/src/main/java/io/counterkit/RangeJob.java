package io.counterkit;

import static java.util.Objects.requireNonNull;

import io.counterkit.internal.follow.Checkpoint;
import io.counterkit.internal.follow.EntryPages;
import io.counterkit.internal.follow.RangeTasks;
import io.counterkit.spi.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Processes the entries of a sequence in parallel, by ranges of their numbers, and continues after a crash. A counter
 * for each range stores how many of its entries were processed.
 *
 * <pre>{@code
 * RangeJob job = RangeJob.of(orders, new NumberRange(1, 1_000_000), 8,
 *         range -> counters.counter("export/" + range.from() + "-" + range.to()));
 * job.run(executor, order -> export(order));   // after a crash or a failure, run it again
 * }</pre>
 *
 * <p>Delivery is at least once: after a crash, at most the last 100 processed entries of each range are delivered
 * again, with the same numbers, and none is skipped. The same holds if several processes run the same job. Entries that
 * are appended later are not part of the job: {@link Sequence#follow} continues with them. Thread-safe.
 */
public final class RangeJob {
    private static final Backoff PAUSES = Backoff.between(Duration.ofMillis(10), Duration.ofSeconds(1));
    private static final int ATTEMPTS = 10;

    private final Sequence sequence;
    private final List<NumberRange> ranges;
    private final Function<? super NumberRange, Counter> progress;

    private RangeJob(Sequence sequence, List<NumberRange> ranges, Function<? super NumberRange, Counter> progress) {
        this.sequence = sequence;
        this.ranges = ranges;
        this.progress = progress;
    }

    /**
     * Creates a job. Does not access the store.
     *
     * @param numbers the numbers to process. Continue a job with the same numbers and parts
     * @param parts the maximum number of ranges to process at once
     * @param progress returns the counter that stores the progress of a range. It may be in any store, and only this
     *     job may change it. Its name should contain the name of the job and the range, so that a job with other ranges
     *     starts each of them at its beginning
     * @throws IllegalArgumentException if {@code parts} is less than 1
     */
    public static RangeJob of(
            Sequence sequence, NumberRange numbers, int parts, Function<? super NumberRange, Counter> progress) {
        return new RangeJob(
                requireNonNull(sequence, "sequence"), numbers.partition(parts), requireNonNull(progress, "progress"));
    }

    /**
     * Returns how many entries were processed, by all runs.
     *
     * @throws CounterException if a counter cannot be read
     */
    public long processed() {
        return ranges.stream().mapToLong(range -> progress.apply(range).get()).sum();
    }

    /**
     * Processes all entries that were not processed yet, and returns when that is done. If the consumer throws, or the
     * store fails repeatedly, the ranges stop after their current entries and store their progress; run the job again
     * to continue.
     *
     * <p>If the executor ends before it has run all ranges, this method throws {@link RejectedExecutionException}. If
     * it drops a range and does not end, this method waits until the thread is interrupted.
     *
     * @param executor runs each range as one task
     * @param consumer receives the entries of a range in ascending order, one at a time; is called by the tasks of all
     *     ranges concurrently
     * @throws IllegalArgumentException if the sequence ends before the numbers of this job
     * @throws CorruptDataException if an entry is missing, or a counter does not have the progress of its range
     * @throws CounterException if the store failed
     * @throws CancellationException if the thread was interrupted; its interrupt flag is restored
     * @throws RejectedExecutionException if the executor refused a range, or ended before it ran all ranges
     * @throws RuntimeException the exception of the consumer; an {@link Error} of the consumer or the executor is
     *     thrown likewise. The failures of other ranges are suppressed
     */
    public void run(Executor executor, Consumer<? super Entry> consumer) {
        long end = ranges.get(ranges.size() - 1).to();
        long last = Backoff.retrying(sequence::last);
        if (last < end) {
            throw new IllegalArgumentException("number " + end + " is not in '" + sequence.name() + "', which ends at "
                    + last + ": use numbers up to its last one");
        }
        RangeTasks tasks = new RangeTasks(executor);
        for (NumberRange range : ranges) {
            tasks.start(() -> process(range, consumer, tasks));
        }
        if (!tasks.await()) {
            throw new CancellationException(
                    "processing '" + sequence.name() + "' was interrupted: run the job again to continue");
        }
    }

    /** Processes the rest of a range; returns whether it reached the end. */
    private boolean process(NumberRange range, Consumer<? super Entry> consumer, RangeTasks tasks) {
        Checkpoint checkpoint = new Checkpoint(progress.apply(range));
        long done = Backoff.retrying(checkpoint::read);
        if (done > range.size()) {
            throw new CorruptDataException("the progress '" + checkpoint.name() + "' is " + done
                    + ", but its range has " + range.size() + " entries: use a counter that only this job changes");
        }
        try {
            while (done < range.size() && !tasks.isStopped()) {
                long next = range.from() + done;
                for (Entry entry : read(next, Math.min(range.to(), next + EntryPages.SIZE - 1))) {
                    if (tasks.isStopped()) {
                        break;
                    }
                    consumer.accept(entry);
                    done++;
                }
                store(checkpoint, done);
            }
            return done == range.size();
        } catch (RuntimeException | Error e) {
            keep(checkpoint, done, e);
            throw e;
        }
    }

    private List<Entry> read(long from, long to) {
        List<Entry> page = Backoff.retrying(() -> sequence.read(from, to));
        return EntryPages.checkComplete(sequence.name(), page, from, to);
    }

    private static void store(Checkpoint checkpoint, long done) {
        for (int failed = 1; failed < ATTEMPTS; failed++) {
            try {
                checkpoint.store(done);
                return;
            } catch (CounterException e) { // an unknown outcome too: the next attempt reads what is stored
                LockSupport.parkNanos(PAUSES.nanos(failed));
            }
        }
        checkpoint.store(done);
    }

    /** Stores the progress of a range that fails; a second failure is suppressed. */
    private static void keep(Checkpoint checkpoint, long done, Throwable failure) {
        try {
            checkpoint.store(done);
        } catch (RuntimeException | Error e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        }
    }
}
