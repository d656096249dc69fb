package io.counterkit.jdbc.internal.store;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.jdbc.JdbcTransaction;
import io.counterkit.jdbc.internal.sql.Rows;
import io.counterkit.jdbc.internal.sql.Session;
import io.counterkit.jdbc.internal.sql.Session.Work;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Limits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds and appends in a transaction of the application. It writes its token first, so the second of two transactions
 * with one token waits for the first. The numbers of its entries are added to the token's row as they are assigned.
 */
public final class CallersTransaction implements JdbcTransaction {
    private final Database database;
    private final Statements sql;
    private final Connection connection;
    private final @Nullable IdempotencyToken token;
    private final @Nullable List<Long> earlier;
    private @Nullable NotAppliedException failure;

    private CallersTransaction(Database database, Connection connection, @Nullable IdempotencyToken token) {
        this.database = database;
        this.sql = database.statements();
        this.connection = connection;
        this.token = token;
        database.checkIsInTransaction(connection);
        this.earlier =
                database.within("the transaction", "", connection, this::begin).orElse(null);
    }

    /** Begins the part of a transaction that adds and appends. */
    public static CallersTransaction begin(Database database, Connection connection, @Nullable IdempotencyToken token) {
        return new CallersTransaction(database, connection, token);
    }

    private Optional<List<Long>> begin(Session session) throws SQLException {
        if (database.hasOneWriter()) {
            session.update(sql.lockDatabase()); // or a write after a read may fail
        }
        return token == null ? Optional.empty() : database.tokens().begin(session, token);
    }

    @Override
    public Connection connection() {
        return connection;
    }

    /**
     * Returns the numbers of the entries that this transaction has appended and not undone, which are stored with its
     * token.
     *
     * @throws IllegalStateException if the application has ended the transaction
     */
    List<Long> appended() {
        String value = Objects.requireNonNull(token, "token").value();
        return run("the transaction", "", session -> {
            List<TokenMeaning> stored = session.query(sql.selectOwnToken(), TokenMeaning::of, List.of(value));
            if (stored.isEmpty() || !(stored.get(0) instanceof TokenMeaning.Transaction own)) {
                throw ended();
            }
            return own.numbers();
        });
    }

    /** Returns the failure of a function that has ended its transaction. */
    static IllegalStateException ended() {
        return new IllegalStateException(
                "the transaction ended before its function did, and some of its changes may be applied: the function must"
                        + " execute neither COMMIT nor ROLLBACK, and must pass errors on");
    }

    @Override
    public boolean isRepeated() {
        return earlier != null;
    }

    @Override
    public List<Long> numbers() {
        return earlier == null ? List.of() : List.copyOf(earlier);
    }

    @Override
    public void add(String counter, long delta) {
        Limits.checkName("counter name", counter);
        Limits.checkDelta(delta);
        String what = "adding to '" + counter + "'";
        run(what, counter, session -> {
            Rows total = Rows.one(sql.addTotals(1), counter, delta);
            List<Set<String>> written = session.insert(List.of(ownToken(), total));
            checkHasToken(what, written.get(0));
            if (written.get(1).isEmpty()) {
                throw sealed(session, counter);
            }
            return true;
        });
    }

    private SealedException sealed(Session session, String counter) throws SQLException {
        Seal seal = CounterRow.seal(session, sql, counter);
        if (seal == null) {
            throw new SkippedRowsException();
        }
        return new SealedException(counter, seal);
    }

    @Override
    public long append(String sequence, Change change, @Nullable String subject, Map<String, ?> fields) {
        Limits.checkName("sequence name", sequence);
        AppendRequest request = AppendRequest.ofTransaction(change, subject, fields, null);
        String what = "appending to '" + sequence + "'";
        return run(what, sequence, session -> {
            NewEntries entries = NewEntries.lock(session, sql, sequence);
            entries.lookForSubjects(List.of(request));
            Entry entry = entries.append(request).orThrow();
            Rows numbers = token == null ? new Rows(sql.appendNumbers(), List.of()) : number(token, entry.number());
            List<Set<String>> written = entries.store(ownToken(), numbers);
            checkHasToken(what, written.get(0));
            if (written.get(1).size() < numbers.values().size()) {
                throw new SkippedRowsException();
            }
            return entry.number();
        });
    }

    /** Returns the row of the token, which exists until the application ends the transaction. */
    private Rows ownToken() {
        return token == null
                ? new Rows(sql.insertTokens(), List.of())
                : Rows.one(sql.insertTokens(), new TokenMeaning.Transaction(List.of()).row(token.value()));
    }

    /** Checks that the row of the token was not missing: a change without it would be counted again by a repetition. */
    private void checkHasToken(String what, Set<String> written) {
        if (!written.isEmpty()) {
            throw new IllegalStateException(what + ": the transaction with token " + token
                    + " was rolled back: roll back, and call within again");
        }
    }

    private Rows number(IdempotencyToken appending, long number) {
        return Rows.one(sql.appendNumbers(), new TokenMeaning.Transaction(List.of(number)).row(appending.value()));
    }

    private <T> T run(String what, String name, Work<T> work) {
        if (isRepeated()) {
            throw new IllegalStateException(what + ": the transaction with token " + token
                    + " was committed before; do nothing if it is repeated");
        }
        database.checkIsInTransaction(connection);
        try {
            return database.within(what, name, connection, work);
        } catch (NotAppliedException e) {
            failure = e;
            throw e;
        }
    }

    /** Returns whether an add or append of this transaction threw {@code e}, instead of another call to the database. */
    boolean hasThrown(NotAppliedException e) {
        return failure == e;
    }
}
