package io.counterkit.migration.internal.routing;

import io.counterkit.NotAppliedException;
import io.counterkit.migration.internal.routing.NameMover.Name;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.NameState;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the target imports names, since a seal at the source is permanent. Remembers the sealed names that it
 * did not import, so that a target that imports nothing leaves few names sealed. Thread-safe.
 */
public final class TargetCheck {
    private final StorePair stores;

    /**
     * The sealed names that the target did not import when this process last tried, for a reason that may concern other
     * names too.
     */
    private final Set<Name> notImported = ConcurrentHashMap.newKeySet();

    TargetCheck(StorePair stores) {
        this.stores = stores;
    }

    /** Checks that the target can import a name that has not moved. Changes nothing. */
    public CompletableFuture<Boolean> check(ChangeTarget.Kind kind, String name, Call call) {
        NotAppliedException refusal = refusalOf(kind, name);
        if (refusal != null) {
            return CompletableFuture.failedFuture(
                    NotApplied.move(name, "the target can never import it, so this attempt did not seal it", refusal));
        }
        return isHeldByTarget(kind, name, call)
                .thenCompose(isHeld -> isHeld
                        ? stores.sourceState(kind, name, call).thenApply(state -> checkMovedMeanwhile(name, state))
                        : CompletableFuture.completedFuture(true));
    }

    private @Nullable NotAppliedException refusalOf(ChangeTarget.Kind kind, String name) {
        return stores.target().migration().refusalOf(kind, name);
    }

    private CompletableFuture<Boolean> isHeldByTarget(ChangeTarget.Kind kind, String name, Call call) {
        return stores.send(call, () -> stores.target().migration().states(kind, List.of(name), call))
                .thenCombine(
                        stores.bases(kind, List.of(name), call),
                        (states, bases) -> states.get(0).isPresent()
                                || states.get(0).seal() != null
                                || bases.get(0).isPresent());
    }

    /** Checks that another process has moved the name since its state was read. */
    private static boolean checkMovedMeanwhile(String name, NameState state) {
        if (state.seal() == null) {
            throw NotApplied.move(
                    name,
                    "the target holds something under this name while the source is open; nothing was sealed."
                            + " Move to a store, namespace or prefix that does not hold it");
        }
        return true;
    }

    /** Returns a sealed name that the target did not import; null if there is none. */
    @Nullable Name anyNotImported() {
        return notImported.stream().findAny().orElse(null);
    }

    boolean isNotImported(Name name) {
        return notImported.contains(name);
    }

    /** Remembers whether the import of a sealed name failed for a reason that may concern other names. */
    <T> CompletableFuture<T> noting(ChangeTarget.Kind kind, String name, CompletableFuture<T> imported, Call call) {
        Name key = new Name(kind, name);
        return imported.thenApply(base -> {
                    notImported.remove(key);
                    return base;
                })
                .exceptionallyCompose(failure -> isHeldByTarget(kind, name, call)
                        .exceptionally(unread -> true) // without reading the target, no name is sealed
                        .thenCompose(isHeld -> {
                            boolean isOfTheName = isHeld || refusalOf(kind, name) != null;
                            boolean unused = isOfTheName ? notImported.remove(key) : notImported.add(key);
                            return CompletableFuture.failedFuture(failure);
                        }));
    }
}
