package io.counterkit.datastore.internal.operation;

import io.counterkit.CounterOverflowException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.CommitTokens;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainEntry.CounterChange;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.WritePlan;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a Datastore. A counter is a chain of changes whose newest entry carries the total, so it keeps its
 * whole history. A read reads the tail of the chain, always strongly.
 */
public record DatastoreCounters(DatastoreContext context) implements CounterStore {
    @Override
    public BatchLimits limits() {
        return context.limits(context.mostWeight());
    }

    /** Returns the number of entity groups of an add: its entry, and its token if it is a caller's. */
    @Override
    public int weight(AddRequest request) {
        return request.token() == null ? 1 : 2;
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        ChainName counter = ChainName.counter(requests.get(0).name());
        return context.run(() -> {
            CommitTokens tokens = new CommitTokens(
                    context, requests.stream().map(AddRequest::token).toList(), commit);
            return context.write(
                    ChainChange.append(
                            counter,
                            requests.size(),
                            tokens,
                            List.of(),
                            (tail, found) -> planAdds(counter, requests, tokens, tail, found)),
                    commit);
        });
    }

    private WritePlan<List<Result<Void>>> planAdds(
            ChainName counter,
            List<AddRequest> requests,
            CommitTokens tokens,
            ChainTail tail,
            Map<StoreKey, StoreEntity> found) {
        ChainTail end = tail;
        List<Result<Void>> results = new ArrayList<>();
        List<StoreEntity> run = new ArrayList<>();
        List<StoreEntity> puts = new ArrayList<>();
        for (AddRequest request : requests) {
            IdempotencyToken token = request.token();
            TokenNote wanted = token == null
                    ? TokenNote.Commit.of(counter.name())
                    : new TokenNote.Add(counter.name(), request.delta());
            TokenNote stored = tokens.note(token, found);
            if (stored != null) {
                results.add(repeated(request, stored, wanted));
            } else if (tail.seal() != null) {
                results.add(Result.failed(new SealedException(counter.name(), tail.seal())));
            } else {
                end = end.plus(request.delta());
                run.add(entry(counter, CounterChange.ADD, request.delta(), end, tokens, token));
                puts.add(tokens.entity(token, wanted));
                results.add(Result.applied());
            }
        }
        if (!run.isEmpty() && tail.isAbsent()) {
            puts.add(new StoreEntity(context.keys().name(counter)));
        }
        return new WritePlan<>(run, puts, List.of(), () -> results);
    }

    /** Returns the result of an add whose token is stored, for the same add or another change, or as voided. */
    private static Result<Void> repeated(AddRequest request, TokenNote stored, TokenNote wanted) {
        if (stored.equals(wanted)) {
            return Result.applied();
        }
        IdempotencyToken token = request.token();
        return token == null
                ? Result.retry()
                : Result.failed(new TokenRefusedException(
                        "add of " + request.delta() + " to '" + request.name() + "'", token, stored.resolution(null)));
    }

    private StoreEntity entry(
            ChainName counter,
            CounterChange change,
            long delta,
            ChainTail tail,
            CommitTokens tokens,
            @Nullable IdempotencyToken token) {
        return ChainEntry.ofCounter(context.keys(), counter, change, delta, tail, tokens.now(), tokens.token(token));
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        List<ChainName> counters = names.stream().map(ChainName::counter).toList();
        return context.read(names, call, () -> {
            Map<ChainName, Result<ChainTail>> tails = context.finder().find(counters, call);
            Instant now = context.now();
            return counters.stream()
                    .map(counter -> reading(counter, Objects.requireNonNull(tails.get(counter)), now))
                    .toList();
        });
    }

    private static Result<Reading> reading(ChainName counter, Result<ChainTail> found, Instant now) {
        if (found.failure() != null) {
            return Result.failed(found.failure());
        }
        ChainTail tail = found.orThrow();
        if (tail.isOverflown() || tail.value() > Limits.MAX_TOTAL || tail.value() < -Limits.MAX_TOTAL) {
            return Result.failed(new CounterOverflowException("the total of '" + counter.name() + "' is outside ±2^62: "
                    + (tail.isOverflown() ? "reset it" : "add the opposite, or reset it")));
        }
        return Result.of(new Reading(tail.value(), now, Duration.ZERO));
    }

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return clear(name, CounterChange.RESET, commit);
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        return clear(name, CounterChange.DELETE, commit);
    }

    private CompletableFuture<Void> clear(String name, CounterChange change, Commit commit) {
        ChainName counter = ChainName.counter(name);
        return context.run(() -> {
                    CommitTokens tokens = CommitTokens.own(context, commit);
                    return context.write(
                            ChainChange.rare(
                                    counter, tokens, (tail, found) -> planClear(counter, change, tokens, tail, found)),
                            commit);
                })
                .thenAccept(done -> {});
    }

    /** Appends an entry after which the total is 0, if the counter is present. */
    private WritePlan<Boolean> planClear(
            ChainName counter,
            CounterChange change,
            CommitTokens tokens,
            ChainTail tail,
            Map<StoreKey, StoreEntity> found) {
        TokenNote stored = tokens.note(null, found);
        if (stored instanceof TokenNote.Voided) {
            throw tokens.voided((change == CounterChange.RESET ? "reset of " : "deletion of ") + counter);
        }
        if (stored != null) {
            return WritePlan.nothing(true);
        }
        if (tail.seal() != null) {
            throw new SealedException(counter.name(), tail.seal());
        }
        if (tail.isAbsent()) {
            return WritePlan.nothing(false);
        }
        long delta = tail.isOverflown() ? 0 : -tail.value();
        return new WritePlan<>(
                List.of(entry(counter, change, delta, tail.plusSetTo(0), tokens, null)),
                List.of(tokens.entity(null, TokenNote.Commit.of(counter.name()))),
                change == CounterChange.DELETE ? List.of(context.keys().name(counter)) : List.of(),
                () -> true);
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return new ChainListing(context).page(ChangeTarget.Kind.COUNTER, prefix, cursor, limit, call);
    }

    @Override
    public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
        return new ChainSealing(context).seal(ChainName.counter(name), forward, commit);
    }
}
