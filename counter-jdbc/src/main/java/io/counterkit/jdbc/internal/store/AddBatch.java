package io.counterkit.jdbc.internal.store;

import io.counterkit.ContentionException;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.jdbc.internal.sql.IncompleteException;
import io.counterkit.jdbc.internal.sql.Rows;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a batch of adds. First assumes that no token is stored and no counter is sealed, and writes all tokens
 * and totals or nothing, in one round trip. If nothing was written, reads seals and tokens, which are final once they
 * are stored, and sends the other requests. Seals are read before tokens, so that an add from before a seal is found.
 */
final class AddBatch {
    private final Database database;
    private final List<AddRequest> requests;
    private final Commit commit;

    private Map<String, Seal> seals = Map.of();
    private Map<String, TokenMeaning> known = Map.of();

    /**
     * Whether a request that shares the commit's token is for a sealed counter, so that none of them can be applied.
     */
    private boolean isAnySharedSealed;

    AddBatch(Database database, List<AddRequest> requests, Commit commit) {
        this.database = database;
        this.requests = requests;
        this.commit = commit;
    }

    List<Result<Void>> run() throws Exception {
        boolean isComplete = tryWrite();
        int stalled = 0;
        while (!isComplete) {
            long undecided = undecided();
            readSealsAndTokens();
            stalled = undecided() < undecided ? 0 : stalled + 1;
            if (stalled == SkippedRowsException.ATTEMPTS) {
                throw new SkippedRowsException();
            }
            if (commit.remaining().isNegative()) {
                throw new ContentionException("adding to '" + requests.get(0).name()
                        + "': other writers changed the same names until the deadline; try again");
            }
            isComplete = tryWrite();
        }
        List<Result<Void>> results = new ArrayList<>(requests.size());
        for (AddRequest request : requests) {
            Result<Void> decided = decided(request);
            results.add(decided == null ? Result.applied() : decided);
        }
        return results;
    }

    private long undecided() {
        return requests.stream().filter(request -> decided(request) == null).count();
    }

    /** Commits the requests that are not decided yet. Returns false and stores nothing if a token or a seal exists. */
    private boolean tryWrite() throws Exception {
        SortedMap<String, TokenMeaning> tokens = new TreeMap<>();
        SortedMap<String, Long> deltas = new TreeMap<>();
        boolean hasShared = false;
        for (AddRequest request : requests) {
            if (decided(request) == null) {
                IdempotencyToken own = request.token();
                if (own != null) {
                    tokens.put(own.value(), new TokenMeaning.Added(request.name(), request.delta()));
                } else if (!hasShared) {
                    tokens.put(commit.token().value(), new TokenMeaning.Done(request.name()));
                    hasShared = true;
                }
                deltas.merge(request.name(), request.delta(), Long::sum);
            }
        }
        return tokens.isEmpty() || tryWrite(tokens, deltas);
    }

    private boolean tryWrite(SortedMap<String, TokenMeaning> tokens, SortedMap<String, Long> deltas) throws Exception {
        List<@Nullable Object[]> sums = new ArrayList<>(deltas.size());
        deltas.forEach((name, delta) -> sums.add(new @Nullable Object[] {name, delta}));
        Rows totals = new Rows(database.statements().addTotals(deltas.size()), sums);
        try {
            return database.writeOnce(commit, session -> {
                session.insertAll(List.of(database.tokens().rows(tokens), totals));
                return true;
            });
        } catch (IncompleteException e) {
            return false;
        }
    }

    private void readSealsAndTokens() throws Exception {
        Set<String> names = new HashSet<>();
        Set<String> tokens = new HashSet<>();
        for (AddRequest request : requests) {
            IdempotencyToken own = request.token();
            names.add(request.name());
            tokens.add(own == null ? commit.token().value() : own.value());
        }
        database.query(commit, session -> {
            Map<String, Seal> found = new HashMap<>();
            for (CounterRow row : CounterRow.find(session, database.statements(), names)) {
                Seal seal = row.seal();
                if (seal != null) {
                    found.put(row.name(), seal);
                }
            }
            seals = found;
            isAnySharedSealed =
                    requests.stream().anyMatch(request -> request.token() == null && found.containsKey(request.name()));
            known = database.tokens().find(session, new ArrayList<>(tokens));
            return true;
        });
    }

    /** Returns the result of a request that needs no write; null for any other. */
    private @Nullable Result<Void> decided(AddRequest request) {
        IdempotencyToken own = request.token();
        return own == null ? decidedShared(request) : decidedOwn(request, own);
    }

    private @Nullable Result<Void> decidedOwn(AddRequest request, IdempotencyToken own) {
        TokenMeaning stored = known.get(own.value());
        Seal seal = seals.get(request.name());
        if (stored != null) {
            Resolution meant = new Resolution.Added(request.name(), request.delta());
            return stored.resolution(-1).equals(meant)
                    ? Result.applied()
                    : Result.failed(new TokenRefusedException(meant.toString(), own, stored.resolution(-1)));
        }
        return seal == null ? null : Result.failed(new SealedException(request.name(), seal));
    }

    /**
     * Returns the result of a request that shares the commit's token. These requests are applied together, or not at
     * all.
     */
    private @Nullable Result<Void> decidedShared(AddRequest request) {
        TokenMeaning stored = known.get(commit.token().value());
        Seal seal = seals.get(request.name());
        if (stored != null && !(stored instanceof TokenMeaning.Never)) {
            return Result.applied();
        }
        if (seal != null) {
            return Result.failed(new SealedException(request.name(), seal));
        }
        return stored != null || isAnySharedSealed ? Result.retry() : null;
    }
}
