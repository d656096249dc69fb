package io.counterkit.migration.internal.routing;

import io.counterkit.CorruptDataException;
import io.counterkit.NamePage;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import io.counterkit.spi.NameState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists the names of both stores: first those of the source, then those of the target that the source does not hold.
 * The source's state at the seal never changes, so a name that moves meanwhile is listed once. (A counter that is
 * deleted, moved and used again between the two parts of the listing is listed twice.)
 */
final class NameListing {
    private static final String SOURCE = "s";
    private static final String TARGET = "t";
    private static final NameState CORRUPT = new NameState(true, null, null);

    private final StorePair stores;
    private final ChangeTarget.Kind kind;

    NameListing(StorePair stores, ChangeTarget.Kind kind) {
        this.stores = stores;
        this.kind = kind;
    }

    CompletableFuture<NamePage> page(String prefix, @Nullable String cursor, int limit, Call call) {
        if (!stores.canSeal(kind)) {
            return names(stores.source(), prefix, cursor, limit, call);
        }
        if (cursor != null && !isOurs(cursor)) {
            return CompletableFuture.failedFuture(Limits.refusalOfCursor(cursor));
        }
        if (cursor != null && cursor.startsWith(TARGET)) {
            return pageOfTarget(prefix, cursor.length() == 1 ? null : cursor.substring(1), limit, call);
        }
        return names(stores.source(), prefix, cursor == null ? null : cursor.substring(1), limit, call)
                .thenCompose(page -> heldBySource(page.names(), call).thenCompose(held -> {
                    if (page.next() != null) {
                        return CompletableFuture.completedFuture(new NamePage(held, SOURCE + page.next()));
                    }
                    if (held.size() == limit) {
                        return CompletableFuture.completedFuture(new NamePage(held, TARGET));
                    }
                    return pageOfTarget(prefix, null, limit - held.size(), call)
                            .thenApply(more -> new NamePage(
                                    Stream.concat(held.stream(), more.names().stream())
                                            .toList(),
                                    more.next()));
                }));
    }

    private static boolean isOurs(String cursor) {
        return cursor.startsWith(TARGET) || (cursor.startsWith(SOURCE) && cursor.length() > SOURCE.length());
    }

    private CompletableFuture<NamePage> names(
            CounterBackend store, String prefix, @Nullable String cursor, int limit, Call call) {
        return stores.send(
                call,
                () -> kind == ChangeTarget.Kind.COUNTER
                        ? store.counters().names(prefix, cursor, limit, call)
                        : store.sequences().names(prefix, cursor, limit, call));
    }

    /** Returns the names that the source holds, without those that moved and were then deleted at the target. */
    private CompletableFuture<List<String>> heldBySource(List<String> names, Call call) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(names);
        }
        return states(stores.source(), names, call).thenCompose(states -> {
            List<String> sealed = filter(
                    names,
                    i -> states.get(i).isPresent()
                            && stores.isOurs(states.get(i).seal()));
            return deletedAtTarget(sealed, call)
                    .thenApply(deleted ->
                            filter(names, i -> states.get(i).isPresent() && !deleted.contains(names.get(i))));
        });
    }

    private CompletableFuture<List<String>> deletedAtTarget(List<String> sealed, Call call) {
        if (sealed.isEmpty()) {
            return CompletableFuture.completedFuture(sealed);
        }
        return stores.bases(kind, sealed, call)
                .thenCompose(bases -> states(stores.target(), sealed, call)
                        .thenApply(states -> filter(
                                sealed,
                                i -> bases.get(i).isPresent() && !states.get(i).isPresent())));
    }

    /** Lists the names of the target that moved while they were absent at the source. */
    private CompletableFuture<NamePage> pageOfTarget(String prefix, @Nullable String cursor, int limit, Call call) {
        return names(stores.target(), prefix, cursor, limit, call).thenCompose(page -> {
            String next = page.next() == null ? null : TARGET + page.next();
            if (page.names().isEmpty()) {
                return CompletableFuture.completedFuture(new NamePage(List.of(), next));
            }
            return states(stores.source(), page.names(), call)
                    .thenApply(states -> new NamePage(
                            filter(
                                    page.names(),
                                    i -> stores.isOurs(states.get(i).seal())
                                            && !states.get(i).isPresent()),
                            next));
        });
    }

    private static List<String> filter(List<String> names, IntPredicate isKept) {
        return IntStream.range(0, names.size())
                .filter(isKept)
                .mapToObj(names::get)
                .toList();
    }

    private CompletableFuture<List<NameState>> states(CounterBackend store, List<String> names, Call call) {
        return BulkRead.read(
                        names, some -> stores.send(call, () -> store.migration().states(kind, some, call)))
                .thenCompose(states ->
                        Futures.all(states.stream().map(NameListing::orCorrupt).toList()));
    }

    /** Replaces the state of a corrupt name, which stays listed; reading it fails. */
    private static CompletableFuture<NameState> orCorrupt(CompletableFuture<NameState> state) {
        return state.exceptionallyCompose(failure -> Futures.unwrap(failure) instanceof CorruptDataException
                ? CompletableFuture.completedFuture(CORRUPT)
                : CompletableFuture.failedFuture(failure));
    }
}
