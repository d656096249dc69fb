package io.counterkit.jdbc.internal.store;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.jdbc.internal.sql.Rows;
import io.counterkit.jdbc.internal.sql.Session;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of a batch of appends: locks the sequence, decides each request after those before it, and stores all
 * entries, their tokens and the new end.
 */
final class AppendBatch {
    private final Statements sql;
    private final Tokens tokens;
    private final Session session;
    private final String sequence;
    private final List<AppendRequest> requests;
    private final String shared;

    private Map<String, TokenMeaning> known = Map.of();
    private Map<Long, Entry> repeated = Map.of();
    private final Map<String, Boolean> live = new HashMap<>();

    /** Ordered, as all rows that a transaction locks. */
    private final SortedMap<String, Boolean> changed = new TreeMap<>();

    private final SortedMap<String, TokenMeaning> added = new TreeMap<>();
    private final List<Long> sharedNumbers = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();

    AppendBatch(Database database, Session session, String sequence, List<AppendRequest> requests, Commit commit) {
        this.sql = database.statements();
        this.tokens = database.tokens();
        this.session = session;
        this.sequence = sequence;
        this.requests = requests;
        this.shared = commit.token().value();
    }

    /**
     * Appends.
     *
     * @param mayBeKnown whether tokens may be stored already; if not, one that is ends the transaction
     * @throws IncompleteException if a token is stored that was not looked for
     */
    List<Result<Entry>> run(boolean mayBeKnown) throws SQLException {
        SequenceRow row = SequenceRow.lock(session, sql, sequence);
        if (mayBeKnown) {
            lookForTokens();
        }
        lookForSubjects();
        List<Result<Entry>> results = new ArrayList<>();
        for (AppendRequest request : requests) {
            sharedNumbers.add(0L);
            results.add(append(request, row, results.size()));
        }
        if (!mayBeKnown && results.stream().anyMatch(result -> !result.isApplied())) {
            throw new IncompleteException(); // a token decides before a seal or a subject does
        }
        if (!entries.isEmpty()) {
            store(row);
        }
        return results;
    }

    private void lookForTokens() throws SQLException {
        known = tokens.find(
                session, requests.stream().map(this::token).distinct().toList());
        Set<Long> numbers = new TreeSet<>();
        for (TokenMeaning meaning : known.values()) {
            if (meaning instanceof TokenMeaning.Appended appended
                    && appended.name().equals(sequence)) {
                numbers.add(appended.number());
            } else if (meaning instanceof TokenMeaning.Batch batch) {
                numbers.addAll(batch.numbers());
            }
        }
        if (!numbers.isEmpty()) {
            Map<Long, Entry> found = new HashMap<>();
            session.query(sql.selectEntriesByNumber(), rows -> EntryRow.read(sequence, rows), sequence, numbers)
                    .forEach(entry -> found.put(entry.number(), entry));
            repeated = found;
        }
    }

    private String token(AppendRequest request) {
        IdempotencyToken own = request.token();
        return own == null ? shared : own.value();
    }

    private void lookForSubjects() throws SQLException {
        Set<String> subjects = new TreeSet<>();
        requests.stream()
                .map(AppendRequest::subject)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .forEach(subjects::add);
        if (!subjects.isEmpty()) {
            session.query(
                            sql.selectSubjects(),
                            row -> Map.entry(row.getString("subject"), row.getBoolean("live")),
                            sequence,
                            subjects)
                    .forEach(subject -> live.put(subject.getKey(), subject.getValue()));
        }
    }

    private Result<Entry> append(AppendRequest request, SequenceRow row, int index) {
        TokenMeaning stored = known.get(token(request));
        if (stored != null) {
            return request.token() == null ? ofShared(stored, index) : ofOwn(request, request.token(), stored);
        }
        Seal seal = row.seal();
        if (seal != null) {
            return Result.failed(new SealedException(sequence, seal));
        }
        String subject = request.subject();
        if (subject != null) {
            boolean isLive = live.getOrDefault(subject, false);
            if (isLive == (request.change() == Change.ADDED)) {
                return Result.failed(
                        new ChangeRefusedException("the " + request.change().noun() + " of '" + subject + "' in '"
                                + sequence + "' was refused: it is " + (isLive ? "live already" : "not live")));
            }
            live.put(subject, request.change() != Change.REMOVED);
            changed.put(subject, request.change() != Change.REMOVED);
        }
        return Result.of(assign(request, subject, row, index));
    }

    private Entry assign(AppendRequest request, @Nullable String subject, SequenceRow row, int index) {
        Entry before = entries.isEmpty() ? null : entries.get(entries.size() - 1);
        Entry entry = new Entry(
                row.last() + 1 + entries.size(),
                Instant.ofEpochMilli(row.millis()),
                request.change(),
                subject,
                request.fields(),
                (before == null ? row.live() : before.liveCount())
                        + request.change().delta(),
                false);
        entries.add(entry);
        if (request.token() == null) {
            sharedNumbers.set(index, entry.number());
        } else {
            added.put(request.token().value(), new TokenMeaning.Appended(sequence, entry.number()));
        }
        return entry;
    }

    private Result<Entry> ofShared(TokenMeaning stored, int index) {
        if (!(stored instanceof TokenMeaning.Batch batch)) {
            return Result.retry(); // a caller that left has resolved it
        }
        long number = batch.number(index);
        return number == 0
                ? Result.failed(new ChangeRefusedException(
                        "the append to '" + sequence + "' was refused earlier: it did not fit its subject"))
                : Result.of(entry(number));
    }

    private Result<Entry> ofOwn(AppendRequest request, IdempotencyToken own, TokenMeaning stored) {
        if (stored instanceof TokenMeaning.Appended appended && appended.name().equals(sequence)) {
            Entry entry = entry(appended.number());
            if (entry.change() == request.change() && Objects.equals(entry.subject(), request.subject())) {
                return Result.of(entry);
            }
        }
        return Result.failed(new TokenRefusedException(
                "append to '" + sequence + "': token " + own + " stands for " + stored.resolution(-1)));
    }

    private Entry entry(long number) {
        Entry entry = repeated.get(number);
        if (entry == null) {
            throw new CorruptDataException("entry " + number + " of '" + sequence + "' has a token, but is missing");
        }
        return entry;
    }

    private void store(SequenceRow row) throws SQLException {
        Entry last = entries.get(entries.size() - 1);
        if (sharedNumbers.stream().anyMatch(number -> number > 0)) {
            added.put(shared, new TokenMeaning.Batch(sequence, List.copyOf(sharedNumbers)));
        }
        List<Set<String>> written = session.insert(List.of(
                tokens.rows(added),
                new Rows(
                        sql.insertEntries(),
                        entries.stream()
                                .map(entry -> EntryRow.of(sequence, entry))
                                .toList()),
                new Rows(
                        sql.updateSubjects(),
                        changed.entrySet().stream()
                                .map(subject -> new @Nullable Object[] {subject.getKey(), sequence, subject.getValue()})
                                .toList()),
                new Rows(sql.updateSequences(), List.<@Nullable Object[]>of(new @Nullable Object[] {
                    sequence, last.number(), last.liveCount()
                }))));
        if (written.get(0).size() < added.size()) {
            throw new IncompleteException();
        }
        if (written.get(1).size() < entries.size()) {
            throw new CorruptDataException("'" + sequence + "' ends at " + row.last() + " and has later entries");
        }
    }
}
