package io.counterkit.migration.internal.job;

import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.migration.MigrationReport.Part;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Copies the entries of moved sequences, ascending by chunks: no chunk is begun before the one before it is complete. So
 * how far a sequence was copied is found in the target itself, whoever has copied it. What is erased meanwhile stays so:
 * the source is read again after each chunk.
 */
public final class EntryCopier {
    private static final int CHUNK = 500;
    private static final int BATCH = 100;
    private static final int PROBE = 10;

    private final CounterBackend source;
    private final CounterBackend target;
    private final MigrationJobOptions options;
    private final CallerLoop loop;
    private final RetryingCalls attempts;
    private final MoveThrottle pace;
    private final RandomGenerator random;
    private final Consumer<Part> listener;

    /**
     * @param random makes the tokens of erasures
     * @param listener hears of each batch, on the loop's thread
     */
    public EntryCopier(
            CounterBackend source,
            CounterBackend target,
            MigrationJobOptions options,
            CallerLoop loop,
            MoveThrottle pace,
            RandomGenerator random,
            Consumer<Part> listener) {
        this.source = source;
        this.target = target;
        this.options = options;
        this.loop = loop;
        this.attempts = new RetryingCalls(loop);
        this.pace = pace;
        this.random = random;
        this.listener = listener;
    }

    /**
     * Copies the entries 1 to {@code last}, as far as they are not there.
     *
     * @param isContinued whether to search for the place where an earlier step stopped, instead of looking at each entry
     * @return whether all are copied, or the time was over before
     */
    public CompletableFuture<Boolean> copy(String sequence, long last, boolean isContinued) {
        if (!isContinued) {
            return copyFrom(sequence, 0, last);
        }
        // No probe is beyond the last entry to copy: those after it are the target's own, and tell nothing.
        return frontier(sequence, 0, Math.max(0, last - PROBE) / CHUNK).thenCompose(chunk -> {
            listener.accept(Part.ofEntries(0, chunk * CHUNK, 0));
            return copyFrom(sequence, chunk, last);
        });
    }

    /**
     * A chunk between these two before which all is copied: one that was begun. Erasures bring single entries over too,
     * so that it takes several at the beginning of the chunk, and one that is not erased, to tell.
     */
    private CompletableFuture<Long> frontier(String sequence, long low, long high) {
        if (low >= high) {
            return CompletableFuture.completedFuture(low);
        }
        long middle = (low + high + 1) / 2;
        NumberRange probe = new NumberRange(middle * CHUNK + 1, middle * CHUNK + PROBE);
        return attempts.of(() -> target.sequences().read(sequence, probe, call()))
                .thenCompose(
                        entries -> entries.size() < PROBE || entries.stream().allMatch(Entry::erased)
                                ? frontier(sequence, low, middle - 1)
                                : frontier(sequence, middle, high));
    }

    private CompletableFuture<Boolean> copyFrom(String sequence, long chunk, long last) {
        if (chunk * CHUNK >= last) {
            return CompletableFuture.completedFuture(true);
        }
        NumberRange range = new NumberRange(chunk * CHUNK + 1, Math.min(last, (chunk + 1) * CHUNK));
        return copyChunk(sequence, range)
                .thenComposeAsync(
                        isDone ->
                                isDone ? copyFrom(sequence, chunk + 1, last) : CompletableFuture.completedFuture(false),
                        loop);
    }

    private CompletableFuture<Boolean> copyChunk(String sequence, NumberRange range) {
        return attempts.of(() -> target.sequences().read(sequence, range, call()))
                .thenCompose(present -> {
                    listener.accept(Part.ofEntries(0, present.size(), 0));
                    if (options.dryRun()) {
                        long missing = range.size() - present.size();
                        listener.accept(Part.ofEntries(missing, 0, 0));
                        return CompletableFuture.completedFuture(true);
                    }
                    return attempts.of(() -> source.sequences().read(sequence, range, call()))
                            .thenCompose(originals -> copy(sequence, range, originals, present));
                });
    }

    private CompletableFuture<Boolean> copy(
            String sequence, NumberRange range, List<Entry> originals, List<Entry> present) {
        Set<Long> there = present.stream().map(Entry::number).collect(Collectors.toSet());
        long[] missing = LongStream.rangeClosed(range.from(), range.to())
                .filter(number -> !there.contains(number))
                .toArray();
        if (missing.length == 0) {
            return erase(sequence, originals, present);
        }
        List<Entry> entries = originals.stream()
                .filter(entry -> !there.contains(entry.number()))
                .toList();
        if (entries.size() != missing.length) {
            return CompletableFuture.failedFuture(new IllegalStateException("the source has " + entries.size()
                    + " of the " + missing.length + " entries from " + missing[0] + " to "
                    + missing[missing.length - 1] + ": it was changed behind CounterKit, run a verification"));
        }
        return put(sequence, entries).thenCompose(hadTime -> {
            if (!hadTime) {
                return CompletableFuture.completedFuture(false);
            }
            List<Entry> copies =
                    Stream.concat(present.stream(), entries.stream()).toList();
            return attempts.of(() -> source.sequences().read(sequence, range, call()))
                    .thenCompose(afterwards -> erase(sequence, afterwards, copies));
        });
    }

    /**
     * Erases at the target what is erased at the source by now. Whoever migrates has erased it at both; a process with
     * the source alone in its configuration has not, since an erasure works on sealed sequences and meets no seal.
     */
    private CompletableFuture<Boolean> erase(String sequence, List<Entry> originals, List<Entry> copies) {
        Set<Long> erased =
                originals.stream().filter(Entry::erased).map(Entry::number).collect(Collectors.toSet());
        return allOf(copies.stream()
                .filter(copy -> !copy.erased() && erased.contains(copy.number()))
                .map(copy -> erase(sequence, copy.number()))
                .toList());
    }

    private CompletableFuture<Boolean> erase(String sequence, long number) {
        return pace.turn(1)
                .thenCompose(hasTurn -> hasTurn
                        ? attempts.of(() -> target.sequences()
                                        .erase(
                                                sequence,
                                                number,
                                                new Commit(options.deadline(), random, CountersListener.disabled())))
                                .thenApply(done -> true)
                        : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Boolean> put(String sequence, List<Entry> entries) {
        List<CompletableFuture<Boolean>> batches = new ArrayList<>();
        for (int from = 0; from < entries.size(); from += BATCH) {
            batches.add(putBatch(sequence, entries.subList(from, Math.min(entries.size(), from + BATCH))));
        }
        return allOf(batches);
    }

    /** Whether all of them are done. */
    private static CompletableFuture<Boolean> allOf(List<CompletableFuture<Boolean>> steps) {
        return CompletableFuture.allOf(steps.toArray(CompletableFuture[]::new))
                .thenApply(all -> steps.stream().allMatch(CompletableFuture::join));
    }

    /** Puts a batch; tells whether there was the time to. */
    private CompletableFuture<Boolean> putBatch(String sequence, List<Entry> batch) {
        return pace.turn(batch.size()).thenCompose(hasTurn -> {
            if (!hasTurn) {
                return CompletableFuture.completedFuture(false);
            }
            return attempts.of(() -> target.migration().copy(sequence, batch, call()))
                    .thenApply(done -> {
                        listener.accept(Part.ofEntries(batch.size(), 0, 0));
                        return true;
                    });
        });
    }

    private Call call() {
        return new Call(options.deadline(), CountersListener.disabled());
    }
}
