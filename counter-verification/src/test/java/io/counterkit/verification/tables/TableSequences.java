package io.counterkit.verification.tables;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.verification.tables.Table.Undo;
import io.counterkit.verification.tables.Tables.EndRow;
import io.counterkit.verification.tables.Tables.SealRow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of sequences, entries and subjects. */
final class TableSequences implements SequenceStore {
    private static final EndRow EMPTY = new EndRow(0, 0, 0);
    private static final int MOST_BYTES = 1 << 20;

    private final TableProcess process;
    private final Tables tables;
    private final TableTokens tokens;

    TableSequences(TableProcess process, TableTokens tokens) {
        this.process = process;
        this.tables = process.tables;
        this.tokens = tokens;
    }

    @Override
    public BatchLimits limits() {
        return BatchLimits.ofWeight(100);
    }

    @Override
    public CompletableFuture<List<Result<Entry>>> append(String sequence, List<AppendRequest> requests, Commit commit) {
        return process.change("appending", commit, undo -> {
            List<Result<Entry>> results = new ArrayList<>();
            BatchStart start = BatchStart.of(tables, tokens, sequence, seal(sequence) == null, requests);
            long bytes = 0;
            for (AppendRequest request : requests) {
                bytes += size(request);
                IdempotencyToken own = request.token();
                IdempotencyToken token = own != null ? own : TableTokens.ofRequest(commit.token(), results.size());
                if (tables.has(Mistake.APPEND_BATCH_REPEATED_AS_APPLIED)
                        && !results.isEmpty()
                        && tokens.find(TableTokens.ofRequest(commit.token(), 0)) != null
                        && results.get(0).isApplied()
                        && tables.ends.get(sequence) != null
                        && results.get(0).orThrow().number() < end(sequence).last()) {
                    results.add(results.get(0));
                    continue;
                }
                if (tables.has(Mistake.LARGE_BATCHES_CUT) && bytes > MOST_BYTES) {
                    results.add(results.get(0));
                    continue;
                }
                try {
                    results.add(Result.of(append(undo, sequence, request, token, start)));
                } catch (CounterException e) {
                    if (tables.mistake.leaks("appending")) {
                        throw e;
                    }
                    results.add(Result.failed(e));
                }
            }
            return results;
        });
    }

    private static long size(AppendRequest request) {
        return request.fields().values().stream()
                .mapToLong(value -> value instanceof byte[] bytes ? bytes.length : 8)
                .sum();
    }

    private Entry append(Undo undo, String sequence, AppendRequest request, IdempotencyToken token, BatchStart start) {
        Resolution known =
                start.tokens() == null ? tokens.find(token) : start.tokens().get(token);
        if (known == null && tables.has(Mistake.TOKEN_OF_ANOTHER_NAME_CHECKED_FIRST)) {
            known = tokens.findAgain(token, new Resolution.Appended(sequence, 0));
        }
        if (known != null) {
            return repeated(sequence, request, token, known);
        }
        if (!start.isOpen()) {
            checkOpen(sequence);
        }
        tables.gap(Mistake.APPEND_CHECKS_SEAL_FIRST);
        String subject = request.subject();
        if (subject != null) {
            String key = tables.subjectKey(sequence, subject, false);
            boolean isLive = Boolean.TRUE.equals(
                    start.subjects() == null
                            ? tables.subjects.get(key)
                            : start.subjects().get(key));
            if (isLive == (request.change() == Change.ADDED)) {
                throw new ChangeRefusedException("'" + subject + "' is " + (isLive ? "live already" : "not live"));
            }
            tables.subjects.put(undo, key, request.change() != Change.REMOVED);
            if (start.subjects() != null) {
                start.subjects().put(key, request.change() != Change.REMOVED);
            }
        }
        EndRow end = end(sequence);
        tables.gap(Mistake.APPEND_READS_THEN_WRITES);
        EndRow next =
                new EndRow(end.last() + 1, end.liveCount() + request.change().delta(), end.own() + 1);
        tables.ends.put(undo, sequence, next);
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Entry entry = new Entry(
                next.last(),
                tables.has(Mistake.ENTRIES_IN_LOCAL_TIME) ? now.plus(Duration.ofHours(2)) : now,
                request.change(),
                subject,
                columns(request.fields()),
                next.liveCount(),
                false);
        tables.entries.put(undo, tables.entryKey(sequence, next.last()), entry);
        tokens.insert(undo, token, new Resolution.Appended(sequence, next.last()));
        return copy(entry);
    }

    private Map<String, Object> columns(Map<String, Object> fields) {
        Map<String, Object> stored = new HashMap<>(fields);
        stored.replaceAll((name, value) -> {
            if (value instanceof String text && tables.has(Mistake.TEXTS_CUT) && text.length() > 16_000) {
                return text.substring(0, 16_000);
            }
            if (value instanceof byte[] bytes && tables.has(Mistake.BYTES_BLANKED) && bytes.length > 16_000) {
                byte[] copy = Arrays.copyOf(bytes, bytes.length);
                Arrays.fill(copy, 16_000, copy.length, (byte) 0);
                return copy;
            }
            return value;
        });
        return stored;
    }

    private Entry repeated(String sequence, AppendRequest request, IdempotencyToken token, Resolution known) {
        if (known instanceof Resolution.Appended appended
                && appended.sequence()
                        .equals(((Resolution.Appended) tokens.stored(new Resolution.Appended(sequence, 0)))
                                .sequence())) {
            Entry entry = tables.entries.get(tables.entryKey(sequence, appended.number()));
            if (entry != null
                    && entry.change() == request.change()
                    && Objects.equals(entry.subject(), request.subject())) {
                return copy(entry);
            }
        }
        throw new TokenRefusedException("token " + token + " stands for " + known);
    }

    private Entry row(Entry entry) {
        boolean isTakenForErased =
                tables.has(Mistake.EMPTY_FIELDS_ARE_ERASED) && entry.fields().isEmpty();
        return isTakenForErased ? entry.withoutFields() : copy(entry);
    }

    static Entry copy(Entry entry) {
        return new Entry(
                entry.number(),
                entry.appendedAt(),
                entry.change(),
                entry.subject(),
                entry.fields(),
                entry.liveCount(),
                entry.erased());
    }

    private EndRow end(String sequence) {
        EndRow end = tables.ends.get(sequence);
        return end == null ? EMPTY : end;
    }

    private @Nullable Seal seal(String sequence) {
        SealRow row = tables.seals.get(tables.sealKey(Kind.SEQUENCE, sequence));
        return row == null ? null : row.seal();
    }

    private void checkOpen(String sequence) {
        Seal seal = seal(sequence);
        if (seal != null) {
            throw new SealedException(sequence, seal);
        }
    }

    @Override
    public CompletableFuture<Tail> tail(String sequence, Call call) {
        return process.read("reading a tail", call, undo -> {
            EndRow end = end(sequence);
            return new Tail(end.last(), end.liveCount(), seal(sequence));
        });
    }

    @Override
    public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
        return process.read("reading entries", call, undo -> {
            List<Entry> found = new ArrayList<>();
            long count = range.to() - range.from() + 1;
            long to = tables.has(Mistake.RANGES_OVERFLOW)
                    ? range.from() + Math.max(count, 1000) - 1
                    : Math.min(range.to(), end(sequence).last());
            if (to < range.from() && tables.has(Mistake.RANGES_OVERFLOW)) {
                throw new IllegalStateException("negative range");
            }
            for (long number = range.from();
                    number <= Math.min(to, Math.min(range.to(), end(sequence).last()));
                    number++) {
                Entry entry = tables.entries.get(tables.entryKey(sequence, number));
                if (entry != null) {
                    found.add(row(entry));
                }
            }
            return found;
        });
    }

    @Override
    public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
        CompletableFuture<Boolean> erased = process.change("erasing", commit, undo -> {
            String key = tables.entryKey(sequence, number);
            Entry entry = tables.entries.get(key);
            if (entry == null) {
                return false;
            }
            tokens.once(undo, commit, sequence, () -> tables.entries.put(undo, key, entry.withoutFields()));
            String subject = entry.subject();
            if (subject != null && tables.has(Mistake.ERASING_FORGETS_SUBJECT)) {
                tables.subjects.put(undo, tables.subjectKey(sequence, subject, false), null);
            }
            return true;
        });
        return erased;
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return process.read("listing", call, undo -> TableNames.page(tables, listed(), prefix, cursor, limit));
    }

    private Stream<String> listed() {
        Stream<String> withEntries = tables.ends.rows.entrySet().stream()
                .filter(row -> !tables.has(Mistake.LISTS_LIVE_SEQUENCES)
                        || row.getValue().liveCount() > 0)
                .filter(row -> !tables.has(Mistake.LISTS_SEQUENCES_WITH_FIELDS) || hasKept(row.getKey()))
                .map(Map.Entry::getKey);
        Stream<String> sealed = tables.seals.rows.keySet().stream()
                .filter(key -> key.startsWith(Kind.SEQUENCE + ":"))
                .map(key -> key.substring(Kind.SEQUENCE.name().length() + 1));
        return Stream.concat(withEntries, sealed).distinct().sorted();
    }

    private boolean hasKept(String sequence) {
        return tables.entries.rows.subMap(sequence + "\u0000", sequence + "\u0001").values().stream()
                .anyMatch(entry -> !entry.erased());
    }

    @Override
    public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
        return process.change("sealing", commit, undo -> {
            tokens.once(undo, commit, sequence, () -> {
                Seal seal = seal(sequence);
                tables.gap(Mistake.SEQUENCE_SEAL_OVERWRITES);
                if (seal != null && !seal.forward().equals(TableMigration.forward(tables, forward))) {
                    throw new SealedException(sequence, seal);
                }
                if (seal == null) {
                    EndRow end = end(sequence);
                    tables.gap(Mistake.SEQUENCE_SEAL_READS_FIRST);
                    long last = tables.has(Mistake.SEAL_COUNTS_OWN_ENTRIES) ? end.own() : end.last();
                    long live =
                            tables.has(Mistake.SEALED_LIVE_COUNT_IN_32_BITS) ? (int) end.liveCount() : end.liveCount();
                    tables.seals.put(
                            undo,
                            tables.sealKey(Kind.SEQUENCE, sequence),
                            new SealRow(new Seal(TableMigration.forward(tables, forward), last, live), Instant.now()));
                }
            });
            return Objects.requireNonNull(seal(sequence));
        });
    }
}
