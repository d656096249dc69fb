package io.counterkit.jdbc.internal.store;

import io.counterkit.ContentionException;
import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.jdbc.internal.notification.NotificationListener;
import io.counterkit.jdbc.internal.sql.IncompleteException;
import io.counterkit.jdbc.internal.sql.Rows;
import io.counterkit.jdbc.internal.sql.Statements;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Fields;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Listening;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The sequences of a backend, with a row for the tail of each, which appends lock, and a row for each entry. */
public final class JdbcSequences implements SequenceStore {
    /** The maximum weight of one transaction: 1,000 small entries, or 7 of the largest size. */
    private static final int MAX_WEIGHT = 1_000;

    private static final long BYTES_PER_WEIGHT = 256;

    private final Database database;
    private final Statements sql;
    private final Tokens tokens;
    private final @Nullable NotificationListener notifications;

    /** Creates the sequences; {@code notifications} report appends, if they are not null. */
    public JdbcSequences(Database database, @Nullable NotificationListener notifications) {
        this.database = database;
        this.notifications = notifications;
        this.sql = database.statements();
        this.tokens = database.tokens();
    }

    @Override
    public BatchLimits limits() {
        return BatchLimits.ofWeight(MAX_WEIGHT);
    }

    @Override
    public int weight(AppendRequest request) {
        return 1 + (int) (Fields.bytesOf(request.fields()) / BYTES_PER_WEIGHT);
    }

    @Override
    public CompletableFuture<List<Result<Entry>>> append(String sequence, List<AppendRequest> requests, Commit commit) {
        return database.change(
                "appending to '" + sequence + "'",
                List.of(sequence),
                commit,
                () -> tryAppend(sequence, requests, commit));
    }

    /** Assumes first that no token is stored, which saves round trips. */
    private List<Result<Entry>> tryAppend(String sequence, List<AppendRequest> requests, Commit commit)
            throws Exception {
        boolean mayBeKnown = false;
        PlainAppends plain = new PlainAppends(sequence, requests, commit);
        if (!database.hasOneWriter() && plain.isPossible()) {
            try {
                return database.writeOnce(commit, session -> plain.run(session, sql.sequences()));
            } catch (IncompleteException e) {
                mayBeKnown = true;
            }
        }
        Set<String> known = new HashSet<>();
        int stalled = 0;
        while (stalled < SkippedRowsException.ATTEMPTS) {
            boolean looksForTokens = mayBeKnown;
            int knownBefore = known.size();
            try {
                return database.write(
                        commit,
                        session -> new AppendBatch(database, session, sequence, requests, commit, known)
                                .run(looksForTokens));
            } catch (IncompleteException e) {
                if (commit.remaining().isNegative()) {
                    throw new ContentionException(
                            "appending to '" + sequence + "': other writers changed it until the deadline; try again",
                            e);
                }
                mayBeKnown = true;
                // Other processes may store many of the tokens meanwhile.
                stalled = known.size() > knownBefore ? 0 : stalled + 1;
            }
        }
        throw new SkippedRowsException();
    }

    @Override
    public CompletableFuture<Tail> tail(String sequence, Call call) {
        return database.read("reading the tail of '" + sequence + "'", List.of(sequence), call, session -> {
            List<SequenceRow> found = SequenceRow.find(session, sql, List.of(sequence));
            return found.isEmpty() ? Tail.EMPTY : found.get(0).tail();
        });
    }

    @Override
    public @Nullable Listening listen(String sequence, Runnable changed) {
        return notifications == null ? null : notifications.listen(sql.channelOfSequences(), sequence, changed);
    }

    @Override
    public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
        return database.read(
                "reading '" + sequence + "' " + range.from() + " to " + range.to(),
                List.of(sequence),
                call,
                session -> session.query(
                        sql.sequences().selectEntries(),
                        row -> EntryRow.read(sequence, row),
                        sequence,
                        range.from(),
                        range.to()));
    }

    @Override
    public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
        return database.change("erasing entry " + number + " of '" + sequence + "'", sequence, commit, session -> {
            boolean exists =
                    !EntryRow.stored(session, sql, sequence, List.of(number)).isEmpty();
            if (exists
                    && tokens.tryClaim(session, commit, sequence)
                    && session.update(sql.sequences().eraseEntry(), EntryRow.ERASED, sequence, number) == 0) {
                throw new SkippedRowsException();
            }
            return exists;
        });
    }

    @Override
    public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
        return database.change("sealing '" + sequence + "'", sequence, commit, session -> {
            SequenceRow.lock(session, sql, sequence); // before the token, as appends do
            if (tokens.tryClaim(session, commit, sequence)) {
                session.insert(List.of(Rows.one(sql.sequences().sealSequences(), sequence, 0L, 0L, forward)));
            }
            return Seals.check(
                    sequence,
                    forward,
                    SequenceRow.find(session, sql, List.of(sequence)).get(0).seal());
        });
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        Limits.checkCursor(cursor);
        return database.read(
                "listing sequences",
                List.of(),
                call,
                session -> Listing.page(session, sql.sequences()::selectSequenceNames, prefix, cursor, limit));
    }
}
