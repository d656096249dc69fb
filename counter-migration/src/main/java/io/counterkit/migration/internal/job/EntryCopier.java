package io.counterkit.migration.internal.job;

import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.migration.MigrationReport.Part;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Copies the entries of moved sequences in ascending chunks. A chunk starts only after the previous one is complete, so
 * the target itself shows how far any process has copied a sequence. The subjects of a chunk are imported before its
 * entries are copied. The source is read again after each chunk, so that entries that were erased meanwhile are erased
 * at the target too.
 *
 * @param random creates the tokens of erasures
 * @param listener receives the counts of each batch, on the loop's thread
 */
public record EntryCopier(
        CounterBackend source,
        CounterBackend target,
        boolean isDryRun,
        CallerLoop loop,
        RetryingCalls calls,
        MoveThrottle throttle,
        RandomGenerator random,
        Consumer<Part> listener) {
    private static final int CHUNK = 500;
    private static final int BATCH = 100;
    private static final int PROBE = 10;

    /**
     * Copies the entries 1 to {@code last} that are missing.
     *
     * @param isResumed whether to search for the chunk where an earlier run stopped, instead of reading every entry
     * @param done the number up to which the entries are known to be copied, or 0
     */
    public CompletableFuture<Progress> copy(String sequence, long last, boolean isResumed, long done) {
        if (!isResumed || done > 0) {
            return copyFrom(sequence, done / CHUNK, last);
        }
        // Probes end at the last entry to copy: the target's own entries after it prove nothing about copies.
        return findFirstChunk(sequence, 0, Math.max(0, last - PROBE) / CHUNK).thenCompose(chunk -> {
            listener.accept(Part.ofEntries(0, chunk * CHUNK, 0));
            return copyFrom(sequence, chunk, last);
        });
    }

    /**
     * Returns a chunk that was started, so that all chunks before it are complete. An erasure copies single entries, so
     * a chunk counts as started only if all entries of the probe exist and one of them is not erased.
     */
    private CompletableFuture<Long> findFirstChunk(String sequence, long low, long high) {
        if (low >= high) {
            return CompletableFuture.completedFuture(low);
        }
        long middle = (low + high + 1) / 2;
        NumberRange probe = new NumberRange(middle * CHUNK + 1, middle * CHUNK + PROBE);
        return calls.retry(call -> target.sequences().read(sequence, probe, call))
                .thenCompose(
                        entries -> entries.size() < PROBE || entries.stream().allMatch(Entry::erased)
                                ? findFirstChunk(sequence, low, middle - 1)
                                : findFirstChunk(sequence, middle, high));
    }

    private CompletableFuture<Progress> copyFrom(String sequence, long chunk, long last) {
        if (chunk * CHUNK >= last) {
            return CompletableFuture.completedFuture(Progress.COMPLETE);
        }
        if (throttle.isOver()) {
            return CompletableFuture.completedFuture(Progress.upTo(chunk * CHUNK));
        }
        NumberRange range = new NumberRange(chunk * CHUNK + 1, Math.min(last, (chunk + 1) * CHUNK));
        return copyChunk(sequence, range)
                .thenComposeAsync(
                        isDone -> isDone
                                ? copyFrom(sequence, chunk + 1, last)
                                : CompletableFuture.completedFuture(Progress.upTo(chunk * CHUNK)),
                        loop);
    }

    private CompletableFuture<Boolean> copyChunk(String sequence, NumberRange range) {
        return calls.retry(call -> target.sequences().read(sequence, range, call))
                .thenCompose(present -> {
                    listener.accept(Part.ofEntries(0, present.size(), 0));
                    if (isDryRun) {
                        listener.accept(Part.ofEntries(range.size() - present.size(), 0, 0));
                        return CompletableFuture.completedFuture(true);
                    }
                    return calls.retry(call -> source.sequences().read(sequence, range, call))
                            .thenCompose(originals -> new SubjectCopier(source, target, calls, throttle)
                                    .copy(sequence, originals)
                                    .thenCompose(isDone -> isDone
                                            ? copyMissing(sequence, range, originals, present)
                                            : CompletableFuture.completedFuture(false)));
                });
    }

    private CompletableFuture<Boolean> copyMissing(
            String sequence, NumberRange range, List<Entry> originals, List<Entry> present) {
        Set<Long> presentNumbers = present.stream().map(Entry::number).collect(Collectors.toSet());
        long[] missing = LongStream.rangeClosed(range.from(), range.to())
                .filter(number -> !presentNumbers.contains(number))
                .toArray();
        if (missing.length == 0) {
            return eraseCopies(sequence, originals, present);
        }
        List<Entry> entries = originals.stream()
                .filter(entry -> !presentNumbers.contains(entry.number()))
                .toList();
        if (entries.size() != missing.length) {
            return CompletableFuture.failedFuture(new IllegalStateException("the source has " + entries.size()
                    + " of the " + missing.length + " entries from " + missing[0] + " to "
                    + missing[missing.length - 1] + ": if it was moved there without its entries, copy those first;"
                    + " otherwise it was changed by other means: run a verification"));
        }
        return copyBatches(sequence, entries).thenCompose(isDone -> {
            if (!isDone) {
                return CompletableFuture.completedFuture(false);
            }
            List<Entry> copies =
                    Stream.concat(present.stream(), entries.stream()).toList();
            return calls.retry(call -> source.sequences().read(sequence, range, call))
                    .thenCompose(originalsNow -> eraseCopies(sequence, originalsNow, copies));
        });
    }

    /**
     * Erases copies of entries that are erased at the source. A process that runs with the source alone erases there
     * only: a seal does not refuse an erasure.
     */
    private CompletableFuture<Boolean> eraseCopies(String sequence, List<Entry> originals, List<Entry> copies) {
        Set<Long> erased =
                originals.stream().filter(Entry::erased).map(Entry::number).collect(Collectors.toSet());
        return allDone(copies.stream()
                .filter(copy -> !copy.erased() && erased.contains(copy.number()))
                .map(copy -> afterThrottle(
                        1,
                        () -> calls.retry(call -> target.sequences()
                                .erase(
                                        sequence,
                                        copy.number(),
                                        new Commit(call.remaining(), random, CountersListener.disabled())))))
                .toList());
    }

    private CompletableFuture<Boolean> copyBatches(String sequence, List<Entry> entries) {
        List<CompletableFuture<Boolean>> batches = new ArrayList<>();
        for (int from = 0; from < entries.size(); from += BATCH) {
            List<Entry> batch = entries.subList(from, Math.min(entries.size(), from + BATCH));
            batches.add(afterThrottle(
                    batch.size(),
                    () -> calls.retry(call -> target.migration().copy(sequence, batch, call))
                            .thenAccept(done -> listener.accept(Part.ofEntries(batch.size(), 0, 0)))));
        }
        return allDone(batches);
    }

    private static CompletableFuture<Boolean> allDone(List<CompletableFuture<Boolean>> steps) {
        return Futures.all(steps).thenApply(all -> all.stream().allMatch(isDone -> isDone));
    }

    /** Runs a step when this many operations may start. Returns false if the time ends first. */
    private CompletableFuture<Boolean> afterThrottle(int operations, Supplier<CompletableFuture<?>> step) {
        return throttle.acquire(operations)
                .thenCompose(isAcquired ->
                        isAcquired ? step.get().thenApply(done -> true) : CompletableFuture.completedFuture(false));
    }
}
