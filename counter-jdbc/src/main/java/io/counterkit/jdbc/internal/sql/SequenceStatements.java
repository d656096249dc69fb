package io.counterkit.jdbc.internal.sql;

import static io.counterkit.jdbc.internal.sql.Insert.Type.BIGINT;
import static io.counterkit.jdbc.internal.sql.Insert.Type.BOOLEAN;
import static io.counterkit.jdbc.internal.sql.Insert.Type.BYTES;
import static io.counterkit.jdbc.internal.sql.Insert.Type.TEXT;

import io.counterkit.jdbc.internal.sql.Insert.Column;
import java.time.Duration;

/** The SQL statements of sequences, their entries and subjects. */
public final class SequenceStatements {
    private final String sequences;
    private final String entries;
    private final String subjects;
    private final String tokens;
    private final String expires;
    private final Dialect dialect;
    private final String onGrowth;
    private final String appendShared;
    private final String appendEach;
    private final Insert createSequences;
    private final Insert updateSequences;
    private final Insert importSequences;
    private final Insert sealSequences;
    private final Insert insertEntries;
    private final Insert updateSubjects;
    private final Insert importSubjects;

    SequenceStatements(Dialect dialect, Schema schema, Duration retention, String onGrowth) {
        this.dialect = dialect;
        this.onGrowth = onGrowth;
        this.sequences = schema.table("sequences");
        this.entries = schema.table("entries");
        this.subjects = schema.table("subjects");
        this.tokens = schema.table("tokens");
        this.expires = dialect.expiry(retention);
        this.appendShared = appendText(true);
        this.appendEach = appendText(false);
        this.createSequences = sequences("DO NOTHING");
        this.updateSequences = sequences("DO UPDATE SET last = excluded.last, live = excluded.live");
        this.importSequences = sequences(
                "DO UPDATE SET last = excluded.last, live = excluded.live WHERE t.last = 0 AND t.forward IS NULL");
        this.sealSequences =
                sequences(Statements.SEAL).withColumn("forward", TEXT).withComputed("sealed_at", dialect.now());
        this.insertEntries = Insert.of(
                entries,
                "(sequence, number) DO NOTHING",
                new Column("number", BIGINT),
                new Column("sequence", TEXT),
                new Column("appended_at", BIGINT),
                new Column("change", TEXT),
                new Column("subject", TEXT),
                new Column("fields", BYTES),
                new Column("live", BIGINT),
                new Column("erased", BOOLEAN));
        this.updateSubjects = subjects("DO UPDATE SET live = excluded.live");
        this.importSubjects = subjects("DO NOTHING");
    }

    /**
     * Appends entries without subjects in one statement, and returns the new tail and the time. Returns no row if the
     * sequence is sealed or new, and fails if a token or an entry is stored already. Its first part locks the sequence,
     * and the others use the tail that the lock returned. Only for PostgreSQL.
     *
     * <p>A position is 0 for the last of the new entries, and negative for those before it. Parameters: the number of
     * entries, twice; the sequence; the tokens in order, and the positions of their entries, or of the first one; the
     * positions of the entries, and their fields; the number of tokens, twice; the number of entries.
     *
     * @param isShared whether there is one token, of all the entries, instead of one for each
     */
    public String append(boolean isShared) {
        return isShared ? appendShared : appendEach;
    }

    private String appendText(boolean isShared) {
        String grown = "UPDATE " + sequences + " AS t SET last = t.last + ?, live = t.live + ?"
                + " WHERE t.name = ? AND t.forward IS NULL AND t.last >= 0 RETURNING t.name, t.last, t.live, "
                + dialect.now()
                + " AS now"
                + (onGrowth.isEmpty() ? "" : ", " + onGrowth);
        String meaning = isShared
                ? "'batch', s.name, 0, (s.last + r.position) || '+' || (1 - r.position)"
                : "'appended', s.name, s.last + r.position, NULL";
        String known =
                "INSERT INTO " + tokens + " (token, kind, name, value, numbers, expires) SELECT r.token, " + meaning
                        + ", " + expires + " FROM s, unnest(?::text[], ?::bigint[]) AS r(token, position)"
                        + " ON CONFLICT (token) DO NOTHING RETURNING 1";
        String added = "INSERT INTO " + entries + " (number, sequence, appended_at, change, fields, live, erased)"
                + " SELECT s.last + r.position, s.name, s.now, 'added', r.fields, s.live + r.position, false"
                + " FROM s, unnest(?::bigint[], ?::bytea[]) AS r(position, fields)"
                + " WHERE (SELECT count(*) FROM k) = ? ON CONFLICT (sequence, number) DO NOTHING RETURNING 1";
        return "WITH s AS (" + grown + "), k AS (" + known + "), e AS (" + added + ") SELECT s.last, s.live, s.now, "
                + Statements.failUnless("(SELECT count(*) FROM k) = ? AND (SELECT count(*) FROM e) = ?") + " FROM s";
    }

    public String selectSequenceNames(boolean hasEnd, boolean isAfter) {
        return Statements.names(sequences, "(last > 0 OR forward IS NOT NULL)", hasEnd, isAfter);
    }

    public String selectSequences() {
        return "SELECT name, last, live, forward, sealed_at FROM " + sequences + " WHERE name IN (:keys)";
    }

    /** Locks the sequence, so that its numbers are assigned by one transaction after another. */
    public String lockSequence() {
        return "SELECT last, live, forward, " + dialect.now() + " FROM " + sequences + " WHERE name = ?"
                + dialect.forUpdate();
    }

    public Insert createSequences() {
        return createSequences;
    }

    public Insert updateSequences() {
        return updateSequences;
    }

    public Insert importSequences() {
        return importSequences;
    }

    private Insert sequences(String onConflict) {
        return Insert.of(
                        sequences,
                        "(name) " + onConflict,
                        new Column("name", TEXT),
                        new Column("last", BIGINT),
                        new Column("live", BIGINT))
                .withEffect(onGrowth);
    }

    public Insert sealSequences() {
        return sealSequences;
    }

    /** Does not change an entry that exists: only an import copies an entry with a number that is used. */
    public Insert insertEntries() {
        return insertEntries;
    }

    private static final String ENTRY = "SELECT number, appended_at, change, subject, fields, live, erased FROM ";

    public String selectEntries() {
        return ENTRY + entries + " WHERE sequence = ? AND number >= ? AND number <= ? ORDER BY number";
    }

    public String selectEntriesByNumber() {
        return ENTRY + entries + " WHERE sequence = ? AND number IN (:keys)";
    }

    public String selectEntryNumbers() {
        return "SELECT number FROM " + entries + " WHERE sequence = ? AND number IN (:keys)";
    }

    public String eraseEntry() {
        return "UPDATE " + entries + " SET fields = ?, erased = true WHERE sequence = ? AND number = ?";
    }

    public Insert updateSubjects() {
        return updateSubjects;
    }

    public Insert importSubjects() {
        return importSubjects;
    }

    private Insert subjects(String onConflict) {
        return Insert.of(
                subjects,
                "(sequence, subject) " + onConflict,
                new Column("subject", TEXT),
                new Column("sequence", TEXT),
                new Column("live", BOOLEAN));
    }

    public String selectSubjects() {
        return "SELECT subject, live FROM " + subjects + " WHERE sequence = ? AND subject IN (:keys)";
    }
}
