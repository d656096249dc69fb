package io.counterkit.internal.request;

import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.Seal;
import io.counterkit.internal.batch.Combiner;
import io.counterkit.internal.batch.GeneratedToken;
import io.counterkit.internal.batch.PendingAdd;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.internal.batch.PendingRequests;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The operations on counters. Checks their arguments and sends them to the backend. Combines adds into batches unless
 * the backend wants each alone.
 */
final class CounterOperations {
    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final CounterStore store;
    private final Set<Capability> capabilities;
    private final BackendInvoker invoker;
    private final TokenResolver tokens;
    private final PendingRequests pending;
    private final Combiner<PendingAdd, Void> combiner;
    private final boolean direct;

    CounterOperations(
            CounterBackend backend, Set<Capability> capabilities, BackendInvoker invoker, TokenResolver tokens) {
        this.store = Objects.requireNonNull(backend.counters(), "the backend returned null for counters()");
        this.capabilities = capabilities;
        this.invoker = invoker;
        this.tokens = tokens;
        this.pending = invoker.pending();
        this.combiner = Combiner.adds(backend, pending, invoker::newCommit);
        this.direct = combiner.isDirect();
    }

    /** Returns the fast path of a counter; null if it has none, or adds are combined or reported to a listener. */
    CounterStore.@Nullable FastPath fastPath(String name) {
        return direct && !pending.hasListener() ? store.fastPath(name) : null;
    }

    /** Adds on the fast path, or returns false and adds nothing. */
    boolean tryFastPath(CounterStore.@Nullable FastPath fastPath, long delta) {
        if (fastPath == null) {
            return false;
        }
        pending.checkOpen();
        return fastPath.tryAdd(delta);
    }

    /**
     * Adds to a counter.
     *
     * @param blocks whether the calling thread waits for the reply
     */
    PendingRequest<Void> add(String name, long delta, @Nullable IdempotencyToken token, boolean blocks) {
        GeneratedToken earlier = GeneratedToken.parse(token);
        AddRequest add = new AddRequest(name, Limits.checkDelta(delta), token);
        return earlier == null ? submit(add, blocks) : repeat(add, earlier);
    }

    private PendingRequest<Void> submit(AddRequest add, boolean blocks) {
        PendingAdd request = new PendingAdd(add, pending);
        return direct
                ? invoker.sendAlone(request, commit -> store.add(List.of(add), commit))
                : combiner.submit(request, blocks);
    }

    /**
     * Repeats an add with the token of an outcome-unknown exception. Resolves the earlier commit first. Sends the add
     * again, with the token as a caller's own, only if that commit was not applied and never will be.
     */
    private PendingRequest<Void> repeat(AddRequest add, GeneratedToken earlier) {
        IdempotencyToken token = Objects.requireNonNull(add.token());
        PendingAdd request = new PendingAdd(add, pending);
        return invoker.change(request, () -> token, () -> {
            if (earlier.kind() != GeneratedToken.Kind.ADD
                    || earlier.delta() != add.delta()
                    || !earlier.name().equals(add.name())) {
                return CompletableFuture.failedFuture(TokenResolver.refusal(request, token));
            }
            return tokens.resolve(earlier).thenCompose(resolution -> {
                if (resolution.applied()) {
                    return DONE;
                }
                request.freeRoom();
                return submit(add, false).reply();
            });
        });
    }

    PendingRequest<Reading> read(String name, Duration maxStaleness) {
        Arguments.checkStaleness(maxStaleness);
        return invoker.read(
                "reading '" + name + "'",
                call -> store.read(List.of(name), maxStaleness, call).thenApply(results -> onlyReading(name, results)));
    }

    private Reading onlyReading(String name, List<Result<Reading>> results) {
        BatchReadings.checkSize(List.of(name), results);
        return report(name, results.get(0).orThrow());
    }

    PendingRequest<Readings> readAll(Collection<String> names, Duration maxStaleness) {
        Arguments.checkStaleness(maxStaleness);
        List<String> distinct = new ArrayList<>(new LinkedHashSet<>(names));
        if (distinct.size() > Limits.MAX_PAGE) {
            throw new IllegalArgumentException(
                    distinct.size() + " counters: read at most " + Limits.MAX_PAGE + " at once");
        }
        distinct.forEach(name -> Limits.checkName("counter name", name));
        return invoker.read(
                "reading " + distinct.size() + " counters",
                distinct.stream().mapToLong(PendingRequest::bytesOf).sum(),
                call -> store.read(distinct, maxStaleness, call)
                        .thenApply(results -> BatchReadings.of(distinct, results, this::report)));
    }

    private Reading report(String name, Reading reading) {
        pending.listener().onRead(name, reading.staleness());
        return reading;
    }

    PendingRequest<Void> reset(String name) {
        return invoker.change(
                "reset of '" + name + "'", ChangeTarget.counter(name), commit -> store.reset(name, commit));
    }

    PendingRequest<Void> delete(String name) {
        return invoker.change(
                "deletion of '" + name + "'", ChangeTarget.counter(name), commit -> store.delete(name, commit));
    }

    PendingRequest<Seal> seal(String name, String forward) {
        Arguments.checkForward(forward);
        Arguments.require(Capability.SEAL_COUNTERS, capabilities);
        return invoker.change(
                "sealing '" + name + "'",
                ChangeTarget.counter(name),
                commit -> store.seal(name, forward, commit).thenApply(BackendInvoker::answer));
    }

    PendingRequest<NamePage> names(String prefix, @Nullable String cursor, int limit) {
        Arguments.checkPage(prefix, limit);
        return invoker.list("listing counters '" + prefix + "'", call -> store.names(prefix, cursor, limit, call));
    }

    PendingRequest<List<NamedReading>> top(String prefix, int limit) {
        Arguments.checkPage(prefix, limit);
        Arguments.require(Capability.TOP, capabilities);
        return invoker.read("listing the largest counters '" + prefix + "'", call -> store.top(prefix, limit, call));
    }
}
