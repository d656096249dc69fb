package io.counterkit.migration.model;

import io.counterkit.migration.fixture.Action;
import io.counterkit.migration.internal.routing.World;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs a world in every order in which its processes' calls can reach the stores. Of orders that differ only in
 * independent calls it runs one: sleep sets, after P. Godefroid, Partial-Order Methods for the Verification of
 * Concurrent Systems, 1996. Calls that begin or end an operation depend on each other, since a check compares which
 * operation ended first.
 */
final class Explorer {
    /** More than any world needs; a world that exceeds it fails. */
    private static final int MOST_RUNS = 100_000;

    private final Deque<Choice> path = new ArrayDeque<>();

    private Explorer() {}

    /**
     * Checks the world at the end of every order.
     *
     * @return the number of orders
     */
    static int explore(Supplier<World> worlds, Consumer<World> check) {
        return new Explorer().run(worlds, check);
    }

    private int run(Supplier<World> worlds, Consumer<World> check) {
        int runs = 0;
        do {
            World world = worlds.get().start();
            path.forEach(choice -> choice.perform(world));
            if (runToTheEnd(world)) {
                runs++;
                check.accept(world);
            }
            if (runs > MOST_RUNS) {
                throw new AssertionError("more than " + MOST_RUNS + " orders");
            }
            while (!path.isEmpty() && !path.getLast().next()) {
                path.removeLast();
            }
        } while (!path.isEmpty());
        return runs;
    }

    /** Returns false if every next call was run in another order already. */
    private boolean runToTheEnd(World world) {
        for (List<Action> enabled = world.enabled(); !enabled.isEmpty(); enabled = world.enabled()) {
            Choice choice = new Choice(
                    enabled, path.isEmpty() ? Map.of() : path.getLast().asleepAfter());
            if (!choice.next()) {
                return false;
            }
            path.addLast(choice);
            choice.perform(world);
        }
        return true;
    }

    /** The calls that can be performed at one moment, and those that need not be. */
    private static final class Choice {
        private final List<Action> enabled;

        /** The calls that need not be performed here, and whether they begin or end an operation. */
        private final Map<Action, Boolean> asleep;

        private Action chosen;
        private boolean isEvent;

        Choice(List<Action> enabled, Map<Action, Boolean> asleep) {
            this.enabled = enabled;
            this.asleep = new LinkedHashMap<>(asleep);
        }

        boolean next() {
            if (chosen != null) {
                asleep.put(chosen, isEvent);
            }
            chosen = enabled.stream()
                    .filter(action -> !asleep.containsKey(action))
                    .findFirst()
                    .orElse(null);
            return chosen != null;
        }

        void perform(World world) {
            int before = world.now();
            world.perform(chosen);
            isEvent = world.now() != before;
        }

        Map<Action, Boolean> asleepAfter() {
            Map<Action, Boolean> still = new LinkedHashMap<>(asleep);
            still.entrySet()
                    .removeIf(other -> !other.getKey().isIndependentOf(chosen) || (isEvent && other.getValue()));
            return still;
        }
    }
}
