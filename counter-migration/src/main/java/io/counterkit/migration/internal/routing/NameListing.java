package io.counterkit.migration.internal.routing;

import io.counterkit.CorruptDataException;
import io.counterkit.NamePage;
import io.counterkit.Seal;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lists the names of both stores: first those that the source holds, then those of the target that it does not hold.
 * What the source held when it was sealed never changes, so that a name which moves meanwhile is neither missed nor
 * listed twice. (But a counter that was listed, and then is deleted, moves and is used again, all before the listing
 * gets to the target, comes a second time.)
 */
final class NameListing {
    private static final String SOURCE = "s";
    private static final String TARGET = "t";
    private static final NameState LISTED = new NameState(true, null, null);

    private final StorePair ends;
    private final ChangeTarget.Kind kind;

    NameListing(StorePair ends, ChangeTarget.Kind kind) {
        this.ends = ends;
        this.kind = kind;
    }

    CompletableFuture<NamePage> page(String prefix, @Nullable String cursor, int limit, Call call) {
        if (!ends.canSeal(kind)) {
            return names(ends.source(), prefix, cursor, limit, call);
        }
        if (cursor != null && cursor.startsWith(TARGET)) {
            return ofTarget(prefix, cursor.length() == 1 ? null : cursor.substring(1), limit, call);
        }
        return names(ends.source(), prefix, cursor == null ? null : cursor.substring(1), limit, call)
                .thenCompose(page -> heldBySource(page.names(), call).thenCompose(held -> {
                    if (page.next() != null) {
                        return CompletableFuture.completedFuture(new NamePage(held, SOURCE + page.next()));
                    }
                    if (held.size() == limit) {
                        return CompletableFuture.completedFuture(new NamePage(held, TARGET));
                    }
                    return ofTarget(prefix, null, limit - held.size(), call)
                            .thenApply(more -> new NamePage(
                                    Stream.concat(held.stream(), more.names().stream())
                                            .toList(),
                                    more.next()));
                }));
    }

    private CompletableFuture<NamePage> names(
            CounterBackend end, String prefix, @Nullable String cursor, int limit, Call call) {
        return ends.ask(
                call,
                () -> kind == ChangeTarget.Kind.COUNTER
                        ? end.counters().names(prefix, cursor, limit, call)
                        : end.sequences().names(prefix, cursor, limit, call));
    }

    /** Those that the source holds: of moved ones those that it held, if they are still there. */
    private CompletableFuture<List<String>> heldBySource(List<String> names, Call call) {
        if (names.isEmpty()) {
            return CompletableFuture.completedFuture(names);
        }
        return states(ends.source(), names, call).thenCompose(states -> {
            List<String> ended = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                if (states.get(i).isPresent() && isMoving(states.get(i))) {
                    ended.add(names.get(i));
                }
            }
            return deletedSince(ended, call).thenApply(deleted -> {
                List<String> held = new ArrayList<>();
                for (int i = 0; i < names.size(); i++) {
                    if (states.get(i).isPresent() && !deleted.contains(names.get(i))) {
                        held.add(names.get(i));
                    }
                }
                return held;
            });
        });
    }

    /** Those that were imported and are not there any more. */
    private CompletableFuture<List<String>> deletedSince(List<String> ended, Call call) {
        if (ended.isEmpty()) {
            return CompletableFuture.completedFuture(ended);
        }
        return ends.ask(call, () -> ends.target().migration().bases(kind, ended, call))
                .thenCompose(
                        bases -> states(ends.target(), ended, call).thenApply(states -> deleted(ended, bases, states)));
    }

    private static List<String> deleted(
            List<String> names, List<Optional<ImportedState>> bases, List<NameState> states) {
        List<String> deleted = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (bases.get(i).isPresent() && !states.get(i).isPresent()) {
                deleted.add(names.get(i));
            }
        }
        return deleted;
    }

    /** Those of the target that moved there while the source held nothing under the name. */
    private CompletableFuture<NamePage> ofTarget(String prefix, @Nullable String cursor, int limit, Call call) {
        return names(ends.target(), prefix, cursor, limit, call).thenCompose(page -> {
            String next = page.next() == null ? null : TARGET + page.next();
            if (page.names().isEmpty()) {
                return CompletableFuture.completedFuture(new NamePage(List.of(), next));
            }
            return states(ends.source(), page.names(), call).thenApply(states -> {
                List<String> names = new ArrayList<>();
                for (int i = 0; i < states.size(); i++) {
                    if (isMoving(states.get(i)) && !states.get(i).isPresent()) {
                        names.add(page.names().get(i));
                    }
                }
                return new NamePage(names, next);
            });
        });
    }

    private CompletableFuture<List<NameState>> states(CounterBackend end, List<String> names, Call call) {
        return OneByOne.ask(names, some -> ends.ask(call, () -> end.migration().states(kind, some, call)))
                .thenCompose(states ->
                        Futures.all(states.stream().map(NameListing::orListed).toList()));
    }

    /** A corrupt name stays listed where it is: whoever reads it is told. */
    private static CompletableFuture<NameState> orListed(CompletableFuture<NameState> state) {
        return state.exceptionallyCompose(failure -> Futures.cause(failure) instanceof CorruptDataException
                ? CompletableFuture.completedFuture(LISTED)
                : CompletableFuture.failedFuture(failure));
    }

    private boolean isMoving(NameState state) {
        Seal seal = state.seal();
        return seal != null && ends.isOurs(seal);
    }
}
