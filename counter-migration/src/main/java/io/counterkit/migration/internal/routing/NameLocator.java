package io.counterkit.migration.internal.routing;

import io.counterkit.SealedException;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Futures;
import io.counterkit.spi.NameState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Finds the store that holds a name. Completes the moves of names that are sealed, and seals no names. Thread-safe. */
class NameLocator {
    private final StorePair stores;
    private final NameMover mover;

    NameLocator(StorePair stores, NameMover mover) {
        this.stores = stores;
        this.mover = mover;
    }

    /**
     * Returns the store for a change: the target if the result is present, otherwise the source. First moves a name
     * that the rollout includes. A name that was sealed with another address stays at the source, which refuses the
     * change or returns the first result of an earlier token.
     */
    CompletableFuture<Optional<MoveRecord>> locateForChange(ChangeTarget.Kind kind, String name, Call call) {
        MoveRecord known = mover.known(kind, name);
        if (known != null || !stores.options().rollout().includes(kind, name)) {
            return CompletableFuture.completedFuture(Optional.ofNullable(known));
        }
        return mover.move(kind, name, call)
                .thenApply(Optional::of)
                .exceptionallyCompose(failure -> Futures.unwrap(failure) instanceof SealedException
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(failure));
    }

    /** Returns the record of a name that is at the target, or empty for one that is at the source. */
    CompletableFuture<Optional<MoveRecord>> locate(ChangeTarget.Kind kind, String name, Call call) {
        MoveRecord known = mover.known(kind, name);
        if (known != null) {
            return CompletableFuture.completedFuture(Optional.of(known));
        }
        return locateAll(kind, List.of(name), call).thenApply(locations -> {
            NameLocation location = locations.get(0);
            if (location.failure() != null) {
                throw location.failure();
            }
            return Optional.ofNullable(location.moved());
        });
    }

    /**
     * Returns the locations of names, in their order, with two calls for any number of names. Makes more calls if a
     * move has to be completed or a name is corrupt; only that name then fails.
     */
    CompletableFuture<List<NameLocation>> locateAll(ChangeTarget.Kind kind, List<String> names, Call call) {
        return BulkRead.read(names, some -> locateAtOnce(kind, some, call)).thenCompose(locations -> {
            List<CompletableFuture<NameLocation>> handled = new ArrayList<>();
            for (int i = 0; i < names.size(); i++) {
                String what = "the state of the " + StorePair.noun(kind) + " '" + names.get(i) + "' could not be read";
                handled.add(locations.get(i).exceptionally(failure -> failed(failure, what)));
            }
            return Futures.all(handled);
        });
    }

    private static NameLocation failed(Throwable failure, String what) {
        return new NameLocation(null, NotApplied.because(failure, what));
    }

    private CompletableFuture<List<NameLocation>> locateAtOnce(ChangeTarget.Kind kind, List<String> names, Call call) {
        return stores.sourceStates(kind, names, call).thenCompose(states -> {
            List<Integer> sealed = IntStream.range(0, names.size())
                    .filter(i -> stores.isOurs(states.get(i).seal()))
                    .boxed()
                    .toList();
            return completeAll(kind, names, states, sealed, call);
        });
    }

    /** Returns the locations of all names, after completing the moves of those at the indexes {@code sealed}. */
    private CompletableFuture<List<NameLocation>> completeAll(
            ChangeTarget.Kind kind, List<String> names, List<NameState> states, List<Integer> sealed, Call call) {
        List<CompletableFuture<NameLocation>> locations = new ArrayList<>(
                Collections.nCopies(names.size(), CompletableFuture.completedFuture(NameLocation.AT_SOURCE)));
        if (sealed.isEmpty()) {
            return Futures.all(locations);
        }
        return stores.bases(kind, sealed.stream().map(names::get).toList(), call)
                .thenCompose(bases -> {
                    for (int i = 0; i < sealed.size(); i++) {
                        int index = sealed.get(i);
                        String name = names.get(index);
                        String what = "move of the " + StorePair.noun(kind) + " '" + name + "' could not be completed";
                        locations.set(
                                index,
                                mover.complete(kind, name, states.get(index), bases.get(i), call)
                                        .handle((moved, failure) -> failure == null
                                                ? new NameLocation(moved, null)
                                                : failed(failure, what)));
                    }
                    return Futures.all(locations);
                });
    }
}
