package io.counterkit.datastore.internal.counter;

import io.counterkit.CounterOverflowException;
import io.counterkit.NamePage;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.datastore.internal.chain.ChainWriter;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.Total;
import io.counterkit.datastore.internal.tail.TailFinder;
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
 * The counters of a Datastore: each is a chain of changes whose newest one carries the total. So a counter has its
 * whole history, and a read is one read of the end of the chain, always strong.
 */
public final class DatastoreCounters implements CounterStore {
    private final DatastoreContext parts;

    public DatastoreCounters(DatastoreContext parts) {
        this.parts = parts;
    }

    @Override
    public BatchLimits limits() {
        return BatchLimits.ofWeight(ChainWriter.MAX_WEIGHT).withOnePerName().withCallerRuns();
    }

    /** An entry, and the token if it is a caller's. */
    @Override
    public int weight(AddRequest request) {
        return request.token() == null ? 1 : 2;
    }

    @Override
    public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
        ChainName chain = ChainName.counter(requests.get(0).name());
        return parts.callerThread()
                .change(() -> parts.writer()
                        .carryOut(
                                chain,
                                new AddChange(parts.schema(), requests, commit, parts.now(), parts.expires()),
                                commit));
    }

    @Override
    public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        List<ChainName> chains = names.stream().map(ChainName::counter).toList();
        return parts.callerThread().read(names.toString(), call, () -> {
            Map<ChainName, TailFinder.Ending> endings = parts.finder().find(chains, call);
            Instant now = parts.now();
            return chains.stream()
                    .map(chain -> reading(chain.name(), Objects.requireNonNull(endings.get(chain)), now))
                    .toList();
        });
    }

    private static Result<Reading> reading(String name, TailFinder.Ending ending, Instant now) {
        if (ending.failure() != null) {
            return Result.failed(ending.failure());
        }
        Total total = new CounterEnd(ending.orThrow().newest()).total();
        if (total.overflown() || total.value() > Limits.MAX_TOTAL || total.value() < -Limits.MAX_TOTAL) {
            return Result.failed(new CounterOverflowException("the total of '" + name + "' is outside ±2^62: "
                    + (total.overflown() ? "reset it" : "add the opposite, or reset it")));
        }
        return Result.of(new Reading(total.value(), now, Duration.ZERO));
    }

    @Override
    public CompletableFuture<Void> reset(String name, Commit commit) {
        return clear(name, DatastoreSchema.CounterChange.RESET, commit);
    }

    @Override
    public CompletableFuture<Void> delete(String name, Commit commit) {
        return clear(name, DatastoreSchema.CounterChange.DELETE, commit);
    }

    private CompletableFuture<Void> clear(String name, DatastoreSchema.CounterChange change, Commit commit) {
        return parts.callerThread()
                .change(() -> parts.writer()
                        .carryOut(
                                ChainName.counter(name),
                                new ClearChange(parts.schema(), name, change, parts.covers(commit)),
                                commit))
                .thenAccept(done -> {});
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return parts.callerThread()
                .read(prefix, call, () -> parts.names().page(ChangeTarget.Kind.COUNTER, prefix, cursor, limit, call));
    }

    @Override
    public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
        return parts.seal(ChainName.counter(name), forward, commit);
    }
}
