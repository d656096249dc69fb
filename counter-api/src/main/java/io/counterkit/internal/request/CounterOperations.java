package io.counterkit.internal.request;

import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.Seal;
import io.counterkit.internal.batch.PendingRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operations on counters, except adds and watches: checks their arguments and sends them to the backend. */
final class CounterOperations {
    private final CounterStore store;
    private final Set<Capability> capabilities;
    private final BackendInvoker invoker;

    CounterOperations(CounterBackend backend, Set<Capability> capabilities, BackendInvoker invoker) {
        this.store = backend.counters();
        this.capabilities = capabilities;
        this.invoker = invoker;
    }

    PendingRequest<Reading> read(String name, Duration maxStaleness) {
        Arguments.checkStaleness(maxStaleness);
        return invoker.read(
                "reading '" + name + "'",
                call -> store.read(List.of(name), maxStaleness, call)
                        .thenApply(results -> report(name, results.get(0).orThrow())));
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
        invoker.listener().onRead(name, reading.staleness());
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
                "sealing '" + name + "'", ChangeTarget.counter(name), commit -> store.seal(name, forward, commit));
    }

    PendingRequest<NamePage> names(String prefix, @Nullable String cursor, int limit) {
        Arguments.checkPage(prefix, limit);
        return invoker.read("listing counters '" + prefix + "'", call -> store.names(prefix, cursor, limit, call));
    }

    PendingRequest<List<NamedReading>> top(String prefix, int limit) {
        Arguments.checkPage(prefix, limit);
        Arguments.require(Capability.TOP, capabilities);
        return invoker.read("largest counters '" + prefix + "'", call -> store.top(prefix, limit, call));
    }
}
