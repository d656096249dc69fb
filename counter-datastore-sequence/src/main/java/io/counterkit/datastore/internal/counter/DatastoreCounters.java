package io.counterkit.datastore.internal.counter;

import io.counterkit.CounterOverflowException;
import io.counterkit.NamePage;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.datastore.internal.chain.ChainWriter;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.schema.ChainEntry.CounterChange;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a Datastore. A counter is a chain of changes whose newest entry carries the total, so it keeps its whole
 * history, and a read reads the tail of the chain, always strongly.
 */
public final class DatastoreCounters implements CounterStore {
    private final DatastoreContext context;

    public DatastoreCounters(DatastoreContext context) {
        this.context = context;
    }

    @Override
    public BatchLimits limits() {
        return BatchLimits.ofWeight(ChainWriter.MAX_WEIGHT).withOnePerName().withCallerRuns();
    }

    /** Returns the entity groups of an add: its entry, and its token if it is a caller's. */
    @Override
    public int weight(AddRequest request) {
        return request.token() == null ? 1 : 2;
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        ChainName counter = ChainName.counter(requests.get(0).name());
        return context.run(() -> context.write(counter, new AddChange(context, counter, requests, commit), commit));
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        List<ChainName> counters = names.stream().map(ChainName::counter).toList();
        return context.read(names.toString(), call, () -> {
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
        return context.run(() -> context.write(counter, new ClearChange(context, counter, change, commit), commit))
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return context.names(ChangeTarget.Kind.COUNTER, prefix, cursor, limit, call);
    }

    @Override
    public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
        return context.seal(ChainName.counter(name), forward, commit);
    }
}
