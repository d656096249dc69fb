package io.counterkit.migration.internal.routing;

import io.counterkit.CounterException;
import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Reads totals from the store that holds the name. A total from the source is valid if the name is not sealed after the
 * read; otherwise it is read again at the target.
 */
final class CounterReads {
    private final StorePair stores;
    private final NameMover mover;
    private final NameLocator locator;

    CounterReads(StorePair stores, RoutingParts parts) {
        this.stores = stores;
        this.mover = parts.mover();
        this.locator = parts.locator();
    }

    CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        if (!stores.canSeal(Kind.COUNTER)) {
            return stores.send(call, () -> stores.source().counters().read(names, maxStaleness, call));
        }
        List<String> atSource = names.stream()
                .filter(name -> mover.known(Kind.COUNTER, name) == null)
                .toList();
        return readAtSource(atSource, maxStaleness, call).thenCompose(readings -> {
            List<String> atTarget =
                    names.stream().filter(name -> !readings.containsKey(name)).toList();
            return readAtTarget(atTarget, maxStaleness, call).thenApply(others -> {
                readings.putAll(others);
                return names.stream().map(readings::get).toList();
            });
        });
    }

    /** Returns the readings by name, without the names that have moved. */
    private CompletableFuture<Map<String, Result<Reading>>> readAtSource(
            List<String> names, Duration maxStaleness, Call call) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(new HashMap<>());
        }
        return stores.send(call, () -> stores.source().counters().read(names, maxStaleness, call))
                .thenCompose(results -> locator.locateAll(Kind.COUNTER, names, call)
                        .thenApply(locations -> atSource(names, results, locations)));
    }

    private static Map<String, Result<Reading>> atSource(
            List<String> names, List<Result<Reading>> results, List<NameLocation> locations) {
        Map<String, Result<Reading>> readings = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            CounterException failure = locations.get(i).failure();
            if (failure != null) {
                readings.put(names.get(i), Result.failed(failure));
            } else if (locations.get(i).moved() == null) {
                readings.put(names.get(i), results.get(i));
            }
        }
        return readings;
    }

    private CompletableFuture<Map<String, Result<Reading>>> readAtTarget(
            List<String> names, Duration maxStaleness, Call call) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        return stores.send(call, () -> stores.target().counters().read(names, maxStaleness, call))
                .thenApply(results -> {
                    Map<String, Result<Reading>> readings = new HashMap<>();
                    for (int i = 0; i < names.size(); i++) {
                        readings.put(names.get(i), results.get(i));
                    }
                    return readings;
                });
    }
}
