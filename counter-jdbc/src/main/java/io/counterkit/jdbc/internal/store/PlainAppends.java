package io.counterkit.jdbc.internal.store;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.jdbc.internal.sql.IncompleteException;
import io.counterkit.jdbc.internal.sql.SequenceStatements;
import io.counterkit.jdbc.internal.sql.Session;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * A batch of appends whose entries depend on nothing but the tail of the sequence, so that one statement assigns their
 * numbers and stores them.
 */
final class PlainAppends {
    private final String sequence;
    private final List<AppendRequest> requests;
    private final SortedMap<String, Long> positions = new TreeMap<>();
    private final boolean isShared;

    PlainAppends(String sequence, List<AppendRequest> requests, Commit commit) {
        this.sequence = sequence;
        this.requests = requests;
        this.isShared = requests.get(0).token() == null;
        for (int i = 0; i < requests.size(); i++) {
            IdempotencyToken own = requests.get(i).token();
            positions.putIfAbsent((own == null ? commit.token() : own).value(), 1L - requests.size() + i);
        }
    }

    /** Returns whether no entry has a subject, and the requests share one token or have one each. */
    boolean isPossible() {
        return positions.size() == (isShared ? 1 : requests.size())
                && requests.stream()
                        .allMatch(request -> request.subject() == null && (request.token() == null) == isShared);
    }

    /**
     * Appends.
     *
     * @throws IncompleteException if nothing was appended, because the sequence is new or sealed or a token is stored
     */
    List<Result<Entry>> run(Session session, SequenceStatements sql) throws SQLException {
        long size = requests.size();
        long tokens = positions.size();
        List<List<Result<Entry>>> appended = session.query(
                sql.append(isShared),
                row -> entries(row.getLong(1), row.getLong(2), Instant.ofEpochMilli(row.getLong(3))),
                size,
                size,
                sequence,
                positions.keySet().toArray(String[]::new),
                positions.values().toArray(Long[]::new),
                LongStream.rangeClosed(1 - size, 0).boxed().toArray(Long[]::new),
                requests.stream()
                        .map(request -> FieldCodec.encode(request.fields()))
                        .toArray(byte[][]::new),
                tokens,
                tokens,
                size);
        if (appended.isEmpty()) {
            throw new IncompleteException();
        }
        return appended.get(0);
    }

    private List<Result<Entry>> entries(long last, long live, Instant now) {
        List<Result<Entry>> entries = new ArrayList<>();
        long position = 1L - requests.size();
        for (AppendRequest request : requests) {
            entries.add(Result.of(
                    new Entry(last + position, now, request.change(), null, request.fields(), live + position, false)));
            position++;
        }
        return entries;
    }
}
