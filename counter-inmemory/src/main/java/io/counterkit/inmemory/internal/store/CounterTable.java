package io.counterkit.inmemory.internal.store;

import io.counterkit.CounterOverflowException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The counters: the methods of {@link CounterStore}, synchronous. Every read is strong. Thread-safe. */
public final class CounterTable {
    private final NameTable<CounterCell> cells = new NameTable<>(CounterCell::new);
    private final TokenTable tokens;
    private final InstantSource clock;

    public CounterTable(TokenTable tokens, InstantSource clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    public NameTable<? extends StoredName> names() {
        return cells;
    }

    public CounterStore.FastPath fastPath(String name) {
        return new FastPath(name);
    }

    /** Keeps the cell of a counter once it exists. */
    private final class FastPath implements CounterStore.FastPath {
        private final String name;

        /** Not volatile: a thread that does not see the cell finds the same one again. */
        private @Nullable CounterCell cell;

        FastPath(String name) {
            this.name = name;
        }

        @Override
        public boolean tryAdd(long delta) {
            CounterCell found = cell;
            if (found == null) {
                found = cells.find(name);
                cell = found;
            }
            return found != null && found.tryAdd(delta);
        }
    }

    public List<Result<Void>> add(List<AddRequest> requests, Commit commit) {
        AddRequest first = requests.get(0);
        if (requests.size() == 1 && first.token() == null && !tokens.isResolvable(commit)) {
            return List.of(add(first));
        }
        return addBatch(requests, commit);
    }

    private Result<Void> add(AddRequest request) {
        try {
            cells.get(request.name()).addOrCreate(request.delta());
            return Result.applied();
        } catch (SealedException e) {
            return Result.failed(e);
        }
    }

    /**
     * Applies a batch. No counter is sealed meanwhile, so either all requests that share a token are applied, or none.
     */
    private synchronized List<Result<Void>> addBatch(List<AddRequest> requests, Commit commit) {
        List<AddRequest> sharing =
                requests.stream().filter(request -> request.token() == null).toList();
        boolean isSharedApplied = !sharing.isEmpty()
                && sharing.stream().allMatch(request -> seal(request.name()) == null)
                && tokens.claim(commit.token(), () -> addShared(sharing)).applied();
        return requests.stream()
                .map(request -> request.token() == null
                        ? resultOfShared(request, isSharedApplied)
                        : addOnce(request, request.token()))
                .toList();
    }

    private Resolution addShared(List<AddRequest> sharing) {
        sharing.forEach(request -> cells.get(request.name()).addOrCreate(request.delta()));
        return new Resolution.Done(sharing.get(0).name());
    }

    /**
     * Returns the result of a request that shares a token: a retry if the token was resolved as not applied, or another
     * counter is sealed.
     */
    private Result<Void> resultOfShared(AddRequest request, boolean isApplied) {
        if (isApplied) {
            return Result.applied();
        }
        Seal seal = seal(request.name());
        return seal == null ? Result.retry() : Result.failed(new SealedException(request.name(), seal));
    }

    private Result<Void> addOnce(AddRequest request, IdempotencyToken token) {
        Resolution added = new Resolution.Added(request.name(), request.delta());
        try {
            Resolution resolution = tokens.claim(token, () -> {
                cells.get(request.name()).addOrCreate(request.delta());
                return added;
            });
            return resolution.equals(added)
                    ? Result.applied()
                    : Result.failed(new TokenRefusedException(added.toString(), token, resolution));
        } catch (SealedException e) {
            return Result.failed(e);
        }
    }

    private @Nullable Seal seal(String name) {
        CounterCell cell = cells.find(name);
        return cell == null ? null : cell.seal();
    }

    public Result<Reading> read(String name) {
        CounterCell cell = cells.find(name);
        return reading(name, cell == null ? 0 : cell.total());
    }

    private Result<Reading> reading(String name, long total) {
        if (Math.abs(total) > Limits.MAX_TOTAL) {
            return Result.failed(new CounterOverflowException(
                    "the total of '" + name + "' is outside ±2^62: add the opposite, or reset it"));
        }
        return Result.of(new Reading(total, clock.instant(), Duration.ZERO));
    }

    public List<NamedReading> top(String prefix, int limit) {
        return cells.names(prefix)
                .flatMap(name -> ranked(name).stream())
                .sorted(Comparator.comparingLong(
                                (NamedReading named) -> -named.reading().value())
                        .thenComparing(NamedReading::name))
                .limit(limit)
                .toList();
    }

    /** Returns the reading of a counter, unless it was deleted after it was listed. */
    private Optional<NamedReading> ranked(String name) {
        CounterCell cell = cells.find(name);
        return (cell == null ? Optional.<Long>empty() : cell.totalIfPresent())
                .map(total -> new NamedReading(name, reading(name, total).orThrow()));
    }

    public void reset(String name, Commit commit) {
        tokens.applyOnce(commit, name, () -> cells.get(name).reset());
    }

    public void delete(String name, Commit commit) {
        tokens.applyOnce(commit, name, () -> cells.get(name).delete());
    }

    public synchronized Seal seal(String name, String forward, Commit commit) {
        CounterCell cell = cells.get(name);
        tokens.applyOnce(commit, name, () -> cell.seal(forward, clock.instant()));
        return Objects.requireNonNull(cell.seal());
    }

    /** Returns the totals of all counters that are present, out of range or not. */
    public SortedMap<String, Long> totals() {
        SortedMap<String, Long> totals = new TreeMap<>();
        cells.names("").forEach(name -> totals.put(name, cells.get(name).total()));
        return totals;
    }
}
