package io.counterkit.jdbc.internal.store;

import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.jdbc.internal.notification.NotificationListener;
import io.counterkit.jdbc.internal.sql.Rows;
import io.counterkit.jdbc.internal.sql.Session;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The counters of a backend, with a row for each. */
public final class JdbcCounters implements CounterStore {
    /** A transaction with 1,000 adds takes 13 ms on PostgreSQL, and more would only hold the locks longer. */
    private static final int MAX_ADDS = 1_000;

    private final Database database;
    private final Statements sql;
    private final Tokens tokens;
    private final int inFlight;
    private final @Nullable NotificationListener notifications;

    /** Creates the counters; {@code notifications} report changes, if they are not null. */
    public JdbcCounters(Database database, int inFlight, @Nullable NotificationListener notifications) {
        this.database = database;
        this.notifications = notifications;
        this.sql = database.statements();
        this.tokens = database.tokens();
        this.inFlight = inFlight;
    }

    /**
     * Returns the limits. A counter is locked until its batch is committed, so batches in flight have no counter in
     * common. If another transaction has locked a counter, the whole batch waits.
     */
    @Override
    public BatchLimits limits() {
        return BatchLimits.ofWeight(MAX_ADDS).withDisjointInFlight(inFlight);
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        Set<String> names = new LinkedHashSet<>();
        requests.forEach(request -> names.add(request.name()));
        String what = "adding to '" + requests.get(0).name() + "'" + (names.size() == 1 ? "" : " and others");
        return database.change(what, names, commit, () -> new AddBatch(database, requests, commit).run());
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return database.read("reading " + words(names), names, call, session -> {
            Map<String, Long> totals = new HashMap<>();
            for (CounterRow row : CounterRow.find(session, sql, new LinkedHashSet<>(names))) {
                totals.put(row.name(), row.total());
            }
            return names.stream()
                    .map(name -> CounterRow.reading(name, totals.getOrDefault(name, 0L)))
                    .toList();
        });
    }

    @Override
    public @Nullable Listening listen(String name, Runnable changed) {
        return notifications == null ? null : notifications.listen(sql.channelOfCounters(), name, changed);
    }

    private static String words(List<String> names) {
        return names.size() == 1 ? "'" + names.get(0) + "'" : names.size() + " counters";
    }

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return change("resetting", sql.resetCounter(), name, commit);
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        return change("deleting", sql.deleteCounter(), name, commit);
    }

    private CompletableFuture<Void> change(String what, String statement, String name, Commit commit) {
        return database.change(what + " '" + name + "'", name, commit, session -> {
                    if (tokens.tryClaim(session, commit, name)) {
                        change(session, statement, name);
                    }
                    return true;
                })
                .thenAccept(done -> {});
    }

    /** Changes a counter if it exists. It may appear after a statement that did not find it. */
    private void change(Session session, String statement, String name) throws SQLException {
        for (int attempts = 0; attempts < SkippedRowsException.ATTEMPTS; attempts++) {
            if (!session.query(statement, row -> row.getString(1), name).isEmpty()) {
                return;
            }
            CounterRow found = CounterRow.find(session, sql, name);
            if (found == null) {
                return;
            }
            Seal seal = found.seal();
            if (seal != null) {
                throw new SealedException(name, seal);
            }
        }
        throw new SkippedRowsException();
    }

    @Override
    public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
        return database.change("sealing '" + name + "'", name, commit, session -> {
            if (tokens.tryClaim(session, commit, name)) {
                session.insert(List.of(Rows.one(sql.sealCounters(), name, 0L, forward)));
            }
            return Seals.check(name, forward, CounterRow.seal(session, sql, name));
        });
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        Limits.checkCursor(cursor);
        return database.read(
                "listing counters",
                List.of(),
                call,
                session -> Listing.page(session, sql::selectCounterNames, prefix, cursor, limit));
    }

    @Override
    public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
        return database.read("listing the largest counters", List.of(), call, session -> {
            List<Object> parameters = Listing.range(prefix);
            boolean hasEnd = parameters.size() > 1;
            parameters.add((long) limit);
            return session.query(
                    sql.selectTop(hasEnd),
                    row -> new NamedReading(
                            row.getString("name"),
                            CounterRow.reading(row.getString("name"), row.getLong("total"))
                                    .orThrow()),
                    parameters.toArray());
        });
    }
}
