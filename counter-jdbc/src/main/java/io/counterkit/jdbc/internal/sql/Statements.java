package io.counterkit.jdbc.internal.sql;

import static io.counterkit.jdbc.internal.sql.Insert.Type.BIGINT;
import static io.counterkit.jdbc.internal.sql.Insert.Type.BOOLEAN;
import static io.counterkit.jdbc.internal.sql.Insert.Type.TEXT;

import io.counterkit.jdbc.internal.notification.NotificationListener;
import io.counterkit.jdbc.internal.sql.Insert.Column;
import io.counterkit.spi.Limits;
import java.time.Duration;

/**
 * The SQL statements, except those of sequences and those that create the tables. A total that exceeds the range of the
 * column stays at the end of the range until a reset.
 */
public final class Statements {
    private static final long END = Long.MAX_VALUE;
    private static final String SUM = "CASE WHEN t.total = M OR (t.total > 0 AND excluded.total > M - t.total) THEN M"
            + " WHEN t.total = -M OR (t.total < 0 AND excluded.total < -M - t.total) THEN -M"
            + " ELSE t.total + excluded.total END";

    /**
     * A text that ends the statement with the error {@link PostgresErrors#INCOMPLETE} when it is cast to a number. The
     * cast must be outside of a {@code CASE}, since a cast of a constant is evaluated before the statement runs.
     */
    static final String FAILURE = "'CounterKit: a token or a seal is stored already; a transaction follows'";

    static final String SEAL =
            "DO UPDATE SET forward = excluded.forward, sealed_at = excluded.sealed_at WHERE t.forward IS NULL";

    /**
     * The most names in the notifications of one statement. More become one notification, for all counters, which costs
     * each watch a read.
     */
    private static final int MAX_NOTIFIED = 100;

    private final Schema schema;
    private final String counters;
    private final SequenceStatements sequences;
    private final String imports;
    private final String tokens;
    private final String version;
    private final Dialect dialect;
    private final String onChange;
    private final Insert insertTokens;
    private final Insert appendNumbers;
    private final Insert addTotals;
    private final Insert addManyTotals;
    private final Insert importCounters;
    private final Insert sealCounters;
    private final Insert insertImports;

    /** Returns the statements. If {@code notifies}, those that change totals or append notify watches and followers. */
    public Statements(Dialect dialect, Schema schema, Duration retention, boolean notifies) {
        this.dialect = dialect;
        this.schema = schema;
        this.counters = schema.table("counters");
        String onGrowth = notifies ? dialect.notification(channelOfSequences(), "name") : "";
        this.onChange = notifies ? dialect.notification(channelOfCounters(), "name") : "";
        String onManyChanges =
                notifies ? dialect.notification(channelOfCounters(), "'" + NotificationListener.ALL_NAMES + "'") : "";
        this.sequences = new SequenceStatements(dialect, schema, retention, onGrowth);
        this.imports = schema.table("imports");
        this.tokens = schema.table("tokens");
        this.version = schema.table("version");
        this.insertTokens = Insert.of(
                        tokens,
                        "(token) DO NOTHING",
                        new Column("token", TEXT),
                        new Column("kind", TEXT),
                        new Column("name", TEXT),
                        new Column("value", BIGINT),
                        new Column("numbers", TEXT))
                .withComputed("expires", dialect.expiry(retention));
        this.appendNumbers = insertTokens.withOnConflict(
                "(token) DO UPDATE SET numbers = coalesce(t.numbers || ',', '') || excluded.numbers");
        Insert totals = Insert.of(counters, "", new Column("name", TEXT), new Column("total", BIGINT));
        Insert present = totals.withComputed("present", "true");
        Insert sums = present.withOnConflict(
                "(name) DO UPDATE SET total = " + SUM.replace("M", String.valueOf(END)) + " WHERE t.forward IS NULL");
        this.addTotals = sums.withEffect(onChange);
        this.addManyTotals = sums.withEffect(onManyChanges);
        this.importCounters = present.withOnConflict("(name) DO NOTHING").withEffect(onChange);
        this.sealCounters = totals.withComputed("present", "false")
                .withOnConflict("(name) " + SEAL)
                .withColumn("forward", TEXT)
                .withComputed("sealed_at", dialect.now());
        this.insertImports = Insert.of(
                imports,
                "(kind, name) DO NOTHING",
                new Column("name", TEXT),
                new Column("kind", TEXT),
                new Column("origin", TEXT),
                new Column("present", BOOLEAN),
                new Column("value", BIGINT),
                new Column("last", BIGINT));
    }

    /** Returns an expression that is 1, or ends the statement with the error {@link PostgresErrors#INCOMPLETE}. */
    static String failUnless(String condition) {
        return "(CASE WHEN " + condition + " THEN '1' ELSE " + FAILURE + " END)::int";
    }

    /** Returns the channel of the notifications of changed totals. */
    public String channelOfCounters() {
        return schema.channelOfCounters();
    }

    /** Returns the channel of the notifications of appends. */
    public String channelOfSequences() {
        return schema.channelOfSequences();
    }

    /** Takes the write lock of a database with one writer, and changes nothing. */
    public String lockDatabase() {
        return "UPDATE " + version + " SET version = version WHERE version < 0";
    }

    // tokens

    public Insert insertTokens() {
        return insertTokens;
    }

    /** Adds numbers to those of a transaction of the application. */
    public Insert appendNumbers() {
        return appendNumbers;
    }

    public String selectTokens() {
        return "SELECT token, kind, name, value, numbers FROM " + tokens + " WHERE token IN (:keys)";
    }

    /** Finds the token of a transaction that the backend has begun, while that transaction is open. */
    public String selectOwnToken() {
        return selectTokens() + " AND " + dialect.isBegun();
    }

    /**
     * The parameter is the maximum number of rows to delete. The time is a separate subquery, so that it is read once:
     * with a time that changes from row to row, PostgreSQL would read all tokens instead of a part of the index.
     */
    public String deleteExpiredTokens() {
        return "DELETE FROM " + tokens + " WHERE token IN (SELECT token FROM " + tokens + " WHERE expires < (SELECT "
                + dialect.now() + ") ORDER BY expires LIMIT ?" + dialect.skipLocked() + ")";
    }

    // counters

    /** Returns the insert of the totals of this many counters. */
    public Insert addTotals(int number) {
        return number > MAX_NOTIFIED ? addManyTotals : addTotals;
    }

    public Insert importCounters() {
        return importCounters;
    }

    public Insert sealCounters() {
        return sealCounters;
    }

    public String selectCounters() {
        return "SELECT name, total, present, forward, sealed_at FROM " + counters + " WHERE name IN (:keys)";
    }

    /** Returns the name if the counter exists and is not sealed. */
    public String resetCounter() {
        return "UPDATE " + counters + " SET total = 0 WHERE name = ? AND forward IS NULL" + returningName();
    }

    /** Returns the name if the counter exists and is not sealed. */
    public String deleteCounter() {
        return "DELETE FROM " + counters + " WHERE name = ? AND forward IS NULL" + returningName();
    }

    private String returningName() {
        return " RETURNING name" + (onChange.isEmpty() ? "" : ", " + onChange);
    }

    /** Totals out of range come first, so that they are reported. */
    public String selectTop(boolean hasEnd) {
        return "SELECT name, total FROM " + counters + " WHERE present AND name >= ?" + (hasEnd ? " AND name < ?" : "")
                + " ORDER BY CASE WHEN total > " + Limits.MAX_TOTAL + " OR total < " + -Limits.MAX_TOTAL
                + " THEN 0 ELSE 1 END, total DESC, name LIMIT ?";
    }

    public String selectCounterNames(boolean hasEnd, boolean isAfter) {
        return names(counters, "present", hasEnd, isAfter);
    }

    /**
     * The parameters are the first name, or the one before it, the name after the last one if there is an end, and the
     * maximum number of names. There is one lower bound, since with two SQLite would begin at the first one.
     */
    static String names(String table, String isListed, boolean hasEnd, boolean isAfter) {
        return "SELECT name FROM " + table + " WHERE " + isListed + " AND name " + (isAfter ? "> ?" : ">= ?")
                + (hasEnd ? " AND name < ?" : "") + " ORDER BY name LIMIT ?";
    }

    /** Returns the statements of sequences. */
    public SequenceStatements sequences() {
        return sequences;
    }

    // imports

    public Insert insertImports() {
        return insertImports;
    }

    public String selectImports() {
        return "SELECT name, origin, present, value, last FROM " + imports + " WHERE kind = ? AND name IN (:keys)";
    }
}
