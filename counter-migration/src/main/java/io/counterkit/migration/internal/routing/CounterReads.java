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
 * Reads totals from where they are. What is read at the source was right if the name is seen afterwards not to be sealed
 * yet; otherwise it is read at the target, which goes on from there. So no read shows less than was there, or both.
 */
final class CounterReads {
    private final StorePair ends;
    private final NameMover moves;

    CounterReads(StorePair ends, NameMover moves) {
        this.ends = ends;
        this.moves = moves;
    }

    CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
        if (!ends.canSeal(Kind.COUNTER)) {
            return ends.ask(call, () -> ends.source().counters().read(names, maxStaleness, call));
        }
        List<String> atSource = names.stream()
                .filter(name -> moves.known(Kind.COUNTER, name) == null)
                .toList();
        return readAtSource(atSource, maxStaleness, call).thenCompose(read -> {
            List<String> atTarget =
                    names.stream().filter(name -> !read.containsKey(name)).toList();
            return readAtTarget(atTarget, maxStaleness, call).thenApply(rest -> {
                read.putAll(rest);
                return names.stream().map(read::get).toList();
            });
        });
    }

    /** The readings, by name, of those that are at the source; those that have moved are left out. */
    private CompletableFuture<Map<String, Result<Reading>>> readAtSource(
            List<String> names, Duration maxStaleness, Call call) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(new HashMap<>());
        }
        return ends.ask(call, () -> ends.source().counters().read(names, maxStaleness, call))
                .thenCompose(results ->
                        moves.lookAll(Kind.COUNTER, names, call).thenApply(found -> atSource(names, results, found)));
    }

    private static Map<String, Result<Reading>> atSource(
            List<String> names, List<Result<Reading>> results, List<NameLocation> found) {
        Map<String, Result<Reading>> read = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            CounterException failure = found.get(i).failure();
            if (failure != null) {
                read.put(names.get(i), Result.failed(failure));
            } else if (found.get(i).moved() == null) {
                read.put(names.get(i), results.get(i));
            }
        }
        return read;
    }

    private CompletableFuture<Map<String, Result<Reading>>> readAtTarget(
            List<String> names, Duration maxStaleness, Call call) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        return ends.ask(call, () -> ends.target().counters().read(names, maxStaleness, call))
                .thenApply(results -> {
                    Map<String, Result<Reading>> read = new HashMap<>();
                    for (int i = 0; i < names.size(); i++) {
                        read.put(names.get(i), results.get(i));
                    }
                    return read;
                });
    }
}
