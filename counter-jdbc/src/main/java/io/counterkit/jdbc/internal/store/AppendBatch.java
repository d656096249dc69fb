package io.counterkit.jdbc.internal.store;

import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.TokenRefusedException;
import io.counterkit.jdbc.internal.sql.IncompleteException;
import io.counterkit.jdbc.internal.sql.Session;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One transaction of a batch of appends: locks the sequence, decides each request after those before it, and stores all
 * entries, their tokens and the new tail.
 */
final class AppendBatch {
    private final Statements sql;
    private final Tokens tokens;
    private final Session session;
    private final String sequence;
    private final List<AppendRequest> requests;
    private final String shared;
    private final Set<String> everKnown;

    private Map<String, TokenMeaning> known = Map.of();
    private Map<Long, Entry> repeated = Map.of();
    private final SortedMap<String, TokenMeaning> added = new TreeMap<>();
    private final List<Long> sharedNumbers = new ArrayList<>();

    /** @param everKnown receives the tokens that are found */
    AppendBatch(
            Database database,
            Session session,
            String sequence,
            List<AppendRequest> requests,
            Commit commit,
            Set<String> everKnown) {
        this.sql = database.statements();
        this.tokens = database.tokens();
        this.session = session;
        this.sequence = sequence;
        this.requests = requests;
        this.shared = commit.token().value();
        this.everKnown = everKnown;
    }

    /**
     * Appends.
     *
     * @param mayBeKnown whether to look for stored tokens; if not, a stored token ends the transaction
     * @throws IncompleteException if a token is stored that was not looked for
     */
    List<Result<Entry>> run(boolean mayBeKnown) throws SQLException {
        NewEntries entries = NewEntries.lock(session, sql, sequence);
        if (mayBeKnown) {
            lookForTokens();
        }
        entries.lookForSubjects(requests);
        List<Result<Entry>> results = new ArrayList<>();
        for (AppendRequest request : requests) {
            sharedNumbers.add(0L);
            results.add(append(request, entries, results.size()));
        }
        if (!mayBeKnown && results.stream().anyMatch(result -> !result.isApplied())) {
            throw new IncompleteException(); // a token takes precedence over a seal and a subject
        }
        if (!entries.isEmpty()) {
            store(entries);
        }
        return results;
    }

    private void lookForTokens() throws SQLException {
        known = tokens.find(
                session, requests.stream().map(this::token).distinct().toList());
        everKnown.addAll(known.keySet());
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
            session.query(
                            sql.sequences().selectEntriesByNumber(),
                            rows -> EntryRow.read(sequence, rows),
                            sequence,
                            numbers)
                    .forEach(entry -> found.put(entry.number(), entry));
            repeated = found;
        }
    }

    private String token(AppendRequest request) {
        IdempotencyToken own = request.token();
        return own == null ? shared : own.value();
    }

    private Result<Entry> append(AppendRequest request, NewEntries entries, int index) {
        IdempotencyToken own = request.token();
        TokenMeaning stored = known.get(token(request));
        if (stored != null) {
            return own == null ? ofShared(request, stored, index) : ofOwn(request, own, stored);
        }
        Result<Entry> result = entries.append(request);
        if (result.isApplied()) {
            long number = result.orThrow().number();
            if (own == null) {
                sharedNumbers.set(index, number);
            } else {
                added.put(own.value(), new TokenMeaning.Appended(sequence, number));
            }
        }
        return result;
    }

    private Result<Entry> ofShared(AppendRequest request, TokenMeaning stored, int index) {
        if (!(stored instanceof TokenMeaning.Batch batch)) {
            return Result.retry(); // a caller that left has resolved the token
        }
        long number = batch.number(index);
        return number == 0 ? Result.failed(request.earlierRefusal(sequence)) : Result.of(entry(number));
    }

    private Result<Entry> ofOwn(AppendRequest request, IdempotencyToken own, TokenMeaning stored) {
        if (stored instanceof TokenMeaning.Appended appended && appended.name().equals(sequence)) {
            Entry entry = entry(appended.number());
            if (request.matches(entry)) {
                return Result.of(entry);
            }
        }
        return Result.failed(new TokenRefusedException("append to '" + sequence + "'", own, stored.resolution(-1)));
    }

    private Entry entry(long number) {
        Entry entry = repeated.get(number);
        if (entry == null) {
            throw new CorruptDataException("entry " + number + " of '" + sequence + "' has a token, but is missing");
        }
        return entry;
    }

    private void store(NewEntries entries) throws SQLException {
        if (sharedNumbers.stream().anyMatch(number -> number > 0)) {
            added.put(shared, new TokenMeaning.Batch(sequence, List.copyOf(sharedNumbers)));
        }
        if (entries.store(tokens.rows(added)).size() < added.size()) {
            throw new IncompleteException();
        }
    }
}
