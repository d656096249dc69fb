package io.counterkit.jdbc.internal.store;

import io.counterkit.ChangeRefusedException;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.jdbc.internal.sql.Rows;
import io.counterkit.jdbc.internal.sql.Session;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Result;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The entries that a transaction appends to a sequence, which it has locked. */
final class NewEntries {
    private final Session session;
    private final Statements sql;
    private final SequenceRow row;
    private final Map<String, Boolean> live = new HashMap<>();

    /** The changed subjects, sorted, since a transaction locks all rows in the order of their keys. */
    private final SortedMap<String, Boolean> changed = new TreeMap<>();

    private final List<Entry> entries = new ArrayList<>();

    private NewEntries(Session session, Statements sql, SequenceRow row) {
        this.session = session;
        this.sql = sql;
        this.row = row;
    }

    /** Locks a sequence until the transaction ends. */
    static NewEntries lock(Session session, Statements sql, String sequence) throws SQLException {
        return new NewEntries(session, sql, SequenceRow.lock(session, sql, sequence));
    }

    /** Reads the subjects of these requests, before the first of them is appended. */
    void lookForSubjects(Collection<AppendRequest> requests) throws SQLException {
        Set<String> subjects = new TreeSet<>();
        requests.stream()
                .map(AppendRequest::subject)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .forEach(subjects::add);
        if (!subjects.isEmpty()) {
            session.query(
                            sql.sequences().selectSubjects(),
                            found -> Map.entry(found.getString("subject"), found.getBoolean("live")),
                            row.name(),
                            subjects)
                    .forEach(subject -> live.put(subject.getKey(), subject.getValue()));
        }
    }

    /** Assigns the next number to an entry, unless the sequence is sealed or the change does not fit its subject. */
    Result<Entry> append(AppendRequest request) {
        Seal seal = row.seal();
        if (seal != null) {
            return Result.failed(new SealedException(row.name(), seal));
        }
        String subject = request.subject();
        if (subject != null) {
            ChangeRefusedException refusal = request.refusal(row.name(), live.getOrDefault(subject, false));
            if (refusal != null) {
                return Result.failed(refusal);
            }
            live.put(subject, request.leavesSubjectLive());
            changed.put(subject, request.leavesSubjectLive());
        }
        Entry before = entries.isEmpty() ? null : entries.get(entries.size() - 1);
        long liveBefore = before == null ? row.live() : before.liveCount();
        Entry entry = new Entry(
                row.last() + 1 + entries.size(),
                Instant.ofEpochMilli(row.millis()),
                request.change(),
                subject,
                request.fields(),
                liveBefore + request.change().delta(),
                false);
        if (entry.number() < 0 || (liveBefore > 0 && entry.liveCount() < 0)) {
            throw new CorruptDataException("'" + row.name() + "' ends at " + row.last() + " with the live count "
                    + row.live() + ": a number after these is out of range");
        }
        entries.add(entry);
        return Result.of(entry);
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Stores the tokens, and then the entries and the new tail. Returns the tokens that were written. */
    Set<String> store(Rows tokens) throws SQLException {
        return store(new Rows(sql.insertTokens(), List.of()), tokens).get(1);
    }

    /**
     * Stores the token of the transaction and the tokens of the entries, and then the entries and the new tail. Returns
     * the tokens of both that were written. The caller rolls back if a token of the entries was not.
     */
    List<Set<String>> store(Rows ownToken, Rows tokens) throws SQLException {
        Entry tail = entries.get(entries.size() - 1);
        List<Set<String>> written = session.insert(List.of(
                ownToken,
                tokens,
                new Rows(
                        sql.sequences().insertEntries(),
                        entries.stream()
                                .map(entry -> EntryRow.of(row.name(), entry))
                                .toList()),
                new Rows(
                        sql.sequences().updateSubjects(),
                        changed.entrySet().stream()
                                .map(subject ->
                                        new @Nullable Object[] {subject.getKey(), row.name(), subject.getValue()})
                                .toList()),
                Rows.one(sql.sequences().updateSequences(), row.name(), tail.number(), tail.liveCount())));
        if (written.get(1).size() == tokens.values().size()) {
            checkEntries(written.get(2));
            if (written.get(3).size() < changed.size() || written.get(4).isEmpty()) {
                throw new SkippedRowsException();
            }
        }
        return written.subList(0, 2);
    }

    private void checkEntries(Set<String> written) throws SQLException {
        List<Long> others = EntryRow.unwritten(entries, written);
        if (!EntryRow.stored(session, sql, row.name(), others).isEmpty()) {
            throw new CorruptDataException("'" + row.name() + "' ends at " + row.last() + " and has later entries");
        }
        if (!others.isEmpty()) {
            throw new SkippedRowsException();
        }
    }
}
