package io.counterkit.verification.broken.sequence;

import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Chapter 10, continued: fields of entries. */
public final class EntryFlaws {
    private EntryFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("reads longs as doubles", "10.9").sequences(ReadsDoubles::new),
                Flaw.that("returns the time of the read as the time of an entry", "10.10")
                        .sequences(DatesWhatIsRead::new),
                Flaw.that("stores the time of an entry in whole seconds", "10.22")
                        .sequences(DatesInSeconds::new),
                Flaw.that("overwrites an entry with its revision", "10.10").sequences(OverwritesRevisions::new),
                Flaw.that("refuses entries of more than 16 KiB", "10.11").sequences(RefusesLargeEntries::new),
                Flaw.that("removes an entry that is erased", "4.4", "7.5", "10.13")
                        .sequences(RemovesErased::new),
                Flaw.that("erases absent entries", "10.13").sequences(ErasesTheAbsent::new),
                Flaw.that("forgets that an entry was erased", "7.5", "10.13").sequences(ForgetsErasures::new),
                Flaw.that("returns the live count of the last entry that is not erased", "10.13")
                        .sequences(CountsWithFields::new));
    }

    /** Returns an entry with another time and other fields. */
    static Entry with(Entry entry, Instant appendedAt, Map<String, ?> fields) {
        return new Entry(
                entry.number(),
                appendedAt,
                entry.change(),
                entry.subject(),
                Map.copyOf(fields),
                entry.liveCount(),
                entry.erased());
    }

    private static final class CountsWithFields extends ForwardingSequenceStore {
        CountsWithFields(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(sequence, call)
                    .thenCompose(tail -> store.read(
                                    sequence,
                                    new NumberRange(Math.max(1, tail.last() - 9), Math.max(1, tail.last())),
                                    call)
                            .thenApply(entries -> entries.stream()
                                    .filter(entry -> !entry.erased())
                                    .reduce((first, second) -> second)
                                    .map(entry -> new Tail(tail.last(), entry.liveCount(), tail.seal()))
                                    .orElse(tail)));
        }
    }

    private static final class DatesInSeconds extends ForwardingSequenceStore {
        DatesInSeconds(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit)
                    .thenApply(results -> results.stream()
                            .map(result -> result.value() == null ? result : Result.of(inSeconds(result.value())))
                            .toList());
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries ->
                            entries.stream().map(DatesInSeconds::inSeconds).toList());
        }

        private static Entry inSeconds(Entry entry) {
            return new Entry(
                    entry.number(),
                    entry.appendedAt().truncatedTo(ChronoUnit.SECONDS),
                    entry.change(),
                    entry.subject(),
                    entry.fields(),
                    entry.liveCount(),
                    entry.erased());
        }
    }

    private static final class ReadsDoubles extends ForwardingSequenceStore {
        ReadsDoubles(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries ->
                            entries.stream().map(ReadsDoubles::withDoubles).toList());
        }

        private static Entry withDoubles(Entry entry) {
            Map<String, Object> fields = new HashMap<>(entry.fields());
            fields.replaceAll((name, value) -> value instanceof Long number ? (Object) number.doubleValue() : value);
            return with(entry, entry.appendedAt(), fields);
        }
    }

    private static final class DatesWhatIsRead extends ForwardingSequenceStore {
        DatesWhatIsRead(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries -> entries.stream()
                            .map(entry -> with(entry, entry.appendedAt().plusMillis(1), entry.fields()))
                            .toList());
        }
    }

    private static final class OverwritesRevisions extends ForwardingSequenceStore {
        OverwritesRevisions(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, new NumberRange(1, 1_000_000), call).thenApply(entries -> {
                Map<String, Map<String, Object>> newest = new HashMap<>();
                entries.stream()
                        .filter(entry -> entry.subject() != null)
                        .forEach(entry -> newest.put(entry.subject(), entry.fields()));
                return entries.stream()
                        .filter(entry -> range.contains(entry.number()))
                        .map(entry ->
                                with(entry, entry.appendedAt(), newest.getOrDefault(entry.subject(), entry.fields())))
                        .toList();
            });
        }
    }

    private static final class RefusesLargeEntries extends ForwardingSequenceStore {
        RefusesLargeEntries(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            boolean large = requests.stream()
                    .flatMap(request -> request.fields().values().stream())
                    .anyMatch(value -> value instanceof byte[] bytes && bytes.length > 16 * 1024);
            return large
                    ? CompletableFuture.failedFuture(new NotAppliedException("too large for this store"))
                    : store.append(sequence, requests, commit);
        }
    }

    private static final class RemovesErased extends ForwardingSequenceStore {
        RemovesErased(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries ->
                            entries.stream().filter(entry -> !entry.erased()).toList());
        }
    }

    private static final class ErasesTheAbsent extends ForwardingSequenceStore {
        ErasesTheAbsent(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return store.erase(sequence, number, commit).thenApply(there -> true);
        }
    }

    private static final class ForgetsErasures extends ForwardingSequenceStore {
        ForgetsErasures(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries -> entries.stream()
                            .map(entry -> new Entry(
                                    entry.number(),
                                    entry.appendedAt(),
                                    entry.change(),
                                    entry.subject(),
                                    entry.fields(),
                                    entry.liveCount(),
                                    false))
                            .toList());
        }
    }
}
