package io.counterkit.migration;

import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.migration.MigrationReport.Part;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Copies the entries of moved sequences, ascending by chunks: no chunk is begun before the one before it is complete. So
 * how far a sequence was copied is found in the target itself, whoever has copied it.
 */
final class EntryCopier {
    private static final int CHUNK = 500;
    private static final int BATCH = 100;
    private static final int PROBE = 10;

    private final CounterBackend source;
    private final CounterBackend target;
    private final MigrationJobOptions options;
    private final CallerLoop loop;
    private final Attempts attempts;
    private final Pace pace;
    private final Consumer<Part> listener;

    /** @param listener hears of each batch, on the loop's thread */
    EntryCopier(
            CounterBackend source,
            CounterBackend target,
            MigrationJobOptions options,
            CallerLoop loop,
            Pace pace,
            Consumer<Part> listener) {
        this.source = source;
        this.target = target;
        this.options = options;
        this.loop = loop;
        this.attempts = new Attempts(loop);
        this.pace = pace;
        this.listener = listener;
    }

    /**
     * Copies the entries 1 to {@code last}, as far as they are not there.
     *
     * @param isContinued whether to search for the place where an earlier step stopped, instead of looking at each entry
     * @return whether all are copied, or the time was over before
     */
    CompletableFuture<Boolean> copy(String sequence, long last, boolean isContinued) {
        if (!isContinued) {
            return copyFrom(sequence, 0, last);
        }
        return frontier(sequence, 0, (last - 1) / CHUNK).thenCompose(chunk -> {
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
                    if (present.size() == range.size()) {
                        return CompletableFuture.completedFuture(true);
                    }
                    Set<Long> there = present.stream().map(Entry::number).collect(Collectors.toSet());
                    long[] missing = LongStream.rangeClosed(range.from(), range.to())
                            .filter(number -> !there.contains(number))
                            .toArray();
                    if (options.dryRun()) {
                        listener.accept(Part.ofEntries(missing.length, 0, 0));
                        return CompletableFuture.completedFuture(true);
                    }
                    NumberRange wanted = new NumberRange(missing[0], missing[missing.length - 1]);
                    return attempts.of(() -> source.sequences().read(sequence, wanted, call()))
                            .thenCompose(entries -> put(sequence, missing, entries, there));
                });
    }

    private CompletableFuture<Boolean> put(String sequence, long[] missing, List<Entry> read, Set<Long> there) {
        List<Entry> entries =
                read.stream().filter(entry -> !there.contains(entry.number())).toList();
        if (entries.size() != missing.length) {
            return CompletableFuture.failedFuture(new IllegalStateException("the source has " + entries.size()
                    + " of the " + missing.length + " entries from " + missing[0] + " to "
                    + missing[missing.length - 1] + ": it was changed behind CounterKit, run a verification"));
        }
        List<CompletableFuture<Boolean>> batches = new ArrayList<>();
        for (int from = 0; from < entries.size(); from += BATCH) {
            batches.add(put(sequence, entries.subList(from, Math.min(entries.size(), from + BATCH))));
        }
        return CompletableFuture.allOf(batches.toArray(CompletableFuture[]::new))
                .thenApply(all -> batches.stream().allMatch(CompletableFuture::join));
    }

    /** Puts a batch; tells whether there was the time to. */
    private CompletableFuture<Boolean> put(String sequence, List<Entry> batch) {
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
