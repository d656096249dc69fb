package io.counterkit.inmemory;

import io.counterkit.CounterOverflowException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The counters of a store in memory. Every read is strong. */
final class InMemoryCounters implements CounterStore {
    private final InMemoryStore store;
    private final CounterTable counters;
    private final TokenTable tokens;
    private final FaultGate line;

    InMemoryCounters(InMemoryStore store, FaultGate line) {
        this.store = store;
        this.counters = store.counters();
        this.tokens = store.tokens();
        this.line = line;
    }

    @Override
    public BatchLimits limits() {
        return store.options().batches();
    }

    @Override
    public FastPath fastPath(String name) {
        return new InMemoryFastPath(name, counters, line);
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        AddRequest first = requests.get(0);
        List<String> names = requests.stream().map(AddRequest::name).toList();
        return line.change(
                names,
                commit,
                unasked -> unasked && requests.size() == 1 && first.token() == null
                        ? List.of(addUnasked(first))
                        : addAll(requests, commit.token()));
    }

    private Result<Void> addUnasked(AddRequest request) {
        try {
            counters.add(request.name(), request.delta());
            return Result.applied();
        } catch (SealedException e) {
            return Result.failed(e);
        }
    }

    /** A batch excludes seals, so that the requests which share a token are applied all or none. */
    private List<Result<Void>> addAll(List<AddRequest> requests, IdempotencyToken shared) {
        synchronized (counters) {
            List<AddRequest> sharing =
                    requests.stream().filter(request -> request.token() == null).toList();
            boolean applied = sharing.stream().allMatch(request -> counters.seal(request.name()) == null)
                    && !sharing.isEmpty()
                    && tokens.claim(shared, () -> addShared(sharing))
                            .resolution()
                            .applied();
            return requests.stream()
                    .map(request -> request.token() == null
                            ? resultOfShared(request, applied)
                            : addOnce(request, request.token()))
                    .toList();
        }
    }

    private Resolution addShared(List<AddRequest> sharing) {
        sharing.forEach(request -> counters.add(request.name(), request.delta()));
        return new Resolution.Done(sharing.get(0).name());
    }

    /** Those that were not applied share with one that is sealed, or with one whose caller left and had them voided. */
    private Result<Void> resultOfShared(AddRequest request, boolean applied) {
        if (applied) {
            return Result.applied();
        }
        Seal seal = counters.seal(request.name());
        return seal == null ? Result.retry() : Result.failed(new SealedException(request.name(), seal));
    }

    private Result<Void> addOnce(AddRequest request, IdempotencyToken token) {
        Resolution meant = new Resolution.Added(request.name(), request.delta());
        try {
            Resolution decided = tokens.claim(token, () -> {
                        counters.add(request.name(), request.delta());
                        return meant;
                    })
                    .resolution();
            return decided.equals(meant)
                    ? Result.applied()
                    : Result.failed(new TokenRefusedException(meant + ": token " + token + " stands for " + decided));
        } catch (SealedException e) {
            return Result.failed(e);
        }
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        return line.read(names, () -> names.stream().map(this::read).toList());
    }

    private Result<Reading> read(String name) {
        long total = counters.total(name);
        if (Math.abs(total) > Limits.MAX_TOTAL) {
            return Result.failed(new CounterOverflowException(
                    "the total of '" + name + "' is outside ±2^62: add the opposite, or reset it"));
        }
        return Result.of(new Reading(total, store.now(), Duration.ZERO));
    }

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return change(name, commit, () -> counters.reset(name));
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        return change(name, commit, () -> counters.delete(name));
    }

    private CompletableFuture<Void> change(String name, Commit commit, Runnable change) {
        return line.change(List.of(name), commit, unasked -> {
                    tokens.carryOut(commit, name, unasked, change);
                    return true;
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
        return line.change(List.of(name), commit, unasked -> {
            synchronized (counters) {
                tokens.carryOut(commit, name, unasked, () -> counters.seal(name, forward, store.now()));
            }
            return Objects.requireNonNull(counters.seal(name));
        });
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return line.read(List.of(), () -> counters.names().page(prefix, cursor, limit));
    }

    @Override
    public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
        return line.read(
                List.of(),
                () -> counters.names().withPrefix(prefix).stream()
                        .map(name -> new NamedReading(name, read(name).orThrow()))
                        .sorted(Comparator.comparingLong(
                                        (NamedReading named) -> -named.reading().value())
                                .thenComparing(NamedReading::name))
                        .limit(limit)
                        .toList());
    }
}
