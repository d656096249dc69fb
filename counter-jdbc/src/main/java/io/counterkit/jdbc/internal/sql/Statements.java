package io.counterkit.jdbc.internal.sql;

import static io.counterkit.jdbc.internal.sql.Insert.Type.BIGINT;
import static io.counterkit.jdbc.internal.sql.Insert.Type.BOOLEAN;
import static io.counterkit.jdbc.internal.sql.Insert.Type.BYTES;
import static io.counterkit.jdbc.internal.sql.Insert.Type.TEXT;

import io.counterkit.jdbc.internal.sql.Insert.Column;
import java.time.Duration;

/**
 * All SQL statements except those that create the tables. A total that exceeds the range of the column stays at its end
 * until a reset.
 */
public final class Statements {
    private static final long END = Long.MAX_VALUE;
    private static final String SUM = "CASE WHEN t.total = M OR (t.total > 0 AND excluded.total > M - t.total) THEN M"
            + " WHEN t.total = -M OR (t.total < 0 AND excluded.total < -M - t.total) THEN -M"
            + " ELSE t.total + excluded.total END";

    private static final String SEAL =
            "DO UPDATE SET forward = excluded.forward, sealed_at = excluded.sealed_at WHERE t.forward IS NULL";

    private final String counters;
    private final String sequences;
    private final String entries;
    private final String subjects;
    private final String imports;
    private final String tokens;
    private final String version;
    private final Dialect dialect;
    private final long retention;
    private final String onGrowth;

    /** Returns the statements. Those that append notify followers if {@code notifies}. */
    public Statements(Dialect dialect, Schema schema, Duration retention, boolean notifies) {
        this.dialect = dialect;
        this.onGrowth = notifies ? dialect.notification(schema.channel(), "t.name") : "";
        this.retention = retention.toMillis();
        this.counters = schema.table("counters");
        this.sequences = schema.table("sequences");
        this.entries = schema.table("entries");
        this.subjects = schema.table("subjects");
        this.imports = schema.table("imports");
        this.tokens = schema.table("tokens");
        this.version = schema.table("version");
    }

    public String selectVersion() {
        return "SELECT max(version) FROM " + version;
    }

    /** Takes the write lock of a database with one writer, and changes nothing. */
    public String lockDatabase() {
        return "UPDATE " + version + " SET version = version WHERE version < 0";
    }

    // tokens

    public Insert insertTokens() {
        return Insert.of(
                        tokens,
                        "(token) DO NOTHING",
                        new Column("token", TEXT),
                        new Column("kind", TEXT),
                        new Column("name", TEXT),
                        new Column("value", BIGINT),
                        new Column("numbers", TEXT))
                .withComputed("expires", dialect.now() + " + " + retention);
    }

    /** Adds numbers to those of a transaction of the application. */
    public Insert appendNumbers() {
        return insertTokens()
                .withOnConflict("(token) DO UPDATE SET numbers = coalesce(t.numbers || ',', '') || excluded.numbers");
    }

    public String selectTokens() {
        return "SELECT token, kind, name, value, numbers FROM " + tokens + " WHERE token IN (:keys)";
    }

    /** The parameter is the maximum number of rows to delete. */
    public String deleteExpiredTokens() {
        return "DELETE FROM " + tokens + " WHERE token IN (SELECT token FROM " + tokens + " WHERE expires < "
                + dialect.now() + " ORDER BY expires LIMIT ?" + dialect.skipLocked() + ")";
    }

    // counters

    public Insert addTotals() {
        return counters("DO UPDATE SET total = " + SUM.replace("M", String.valueOf(END)) + " WHERE t.forward IS NULL");
    }

    public Insert importCounters() {
        return counters("DO NOTHING");
    }

    public Insert sealCounters() {
        return counters(SEAL).withColumn("forward", TEXT).withComputed("sealed_at", dialect.now());
    }

    private Insert counters(String onConflict) {
        return Insert.of(
                counters,
                "(name) " + onConflict,
                new Column("name", TEXT),
                new Column("total", BIGINT),
                new Column("present", BOOLEAN));
    }

    public String selectCounters() {
        return "SELECT name, total, present, forward, sealed_at FROM " + counters + " WHERE name IN (:keys)";
    }

    public String resetCounter() {
        return "UPDATE " + counters + " SET total = 0 WHERE name = ? AND forward IS NULL";
    }

    public String deleteCounter() {
        return "DELETE FROM " + counters + " WHERE name = ? AND forward IS NULL";
    }

    /** Totals out of range come first, so that they are reported. */
    public String selectTop(boolean hasEnd) {
        return "SELECT name, total FROM " + counters + " WHERE present AND name >= ?" + (hasEnd ? " AND name < ?" : "")
                + " ORDER BY CASE WHEN total > " + (1L << 62) + " OR total < " + -(1L << 62)
                + " THEN 0 ELSE 1 END, total DESC, name LIMIT ?";
    }

    public String selectCounterNames(boolean hasEnd, boolean hasCursor) {
        return names(counters, "present", hasEnd, hasCursor);
    }

    // sequences

    public String selectSequenceNames(boolean hasEnd, boolean hasCursor) {
        return names(sequences, "(last > 0 OR forward IS NOT NULL)", hasEnd, hasCursor);
    }

    private static String names(String table, String isListed, boolean hasEnd, boolean hasCursor) {
        return "SELECT name FROM " + table + " WHERE " + isListed + " AND name >= ?" + (hasEnd ? " AND name < ?" : "")
                + (hasCursor ? " AND name > ?" : "") + " ORDER BY name LIMIT ?";
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
        return sequences("DO NOTHING");
    }

    public Insert updateSequences() {
        return sequences("DO UPDATE SET last = excluded.last, live = excluded.live");
    }

    public Insert importSequences() {
        return sequences(
                "DO UPDATE SET last = excluded.last, live = excluded.live WHERE t.last = 0 AND t.forward IS NULL");
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
        return sequences(SEAL).withColumn("forward", TEXT).withComputed("sealed_at", dialect.now());
    }

    /** Does not change an entry that exists: only an import copies an entry with a number that is used. */
    public Insert insertEntries() {
        return Insert.of(
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
    }

    private static final String ENTRY = "SELECT number, appended_at, change, subject, fields, live, erased FROM ";

    public String selectEntries() {
        return ENTRY + entries + " WHERE sequence = ? AND number >= ? AND number <= ? ORDER BY number";
    }

    public String selectEntriesByNumber() {
        return ENTRY + entries + " WHERE sequence = ? AND number IN (:keys)";
    }

    public String selectEntryNumber() {
        return "SELECT number FROM " + entries + " WHERE sequence = ? AND number = ?";
    }

    public String eraseEntry() {
        return "UPDATE " + entries + " SET fields = ?, erased = true WHERE sequence = ? AND number = ?";
    }

    public Insert updateSubjects() {
        return subjects("DO UPDATE SET live = excluded.live");
    }

    public Insert importSubjects() {
        return subjects("DO NOTHING");
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

    // imports

    public Insert insertImports() {
        return Insert.of(
                imports,
                "(kind, name) DO NOTHING",
                new Column("name", TEXT),
                new Column("kind", TEXT),
                new Column("origin", TEXT),
                new Column("present", BOOLEAN),
                new Column("value", BIGINT),
                new Column("last", BIGINT));
    }

    public String selectImports() {
        return "SELECT name, origin, present, value, last FROM " + imports + " WHERE kind = ? AND name IN (:keys)";
    }
}
