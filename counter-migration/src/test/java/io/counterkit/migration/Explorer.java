package io.counterkit.migration;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Runs a world in every order in which its processes' calls can reach the stores. Of orders that differ only in calls
 * which do not concern each other it takes one: sleep sets, after P. Godefroid, Partial-Order Methods for the
 * Verification of Concurrent Systems, 1996.
 */
final class Explorer {
    /** Far more than any world here needs; what needs more is not explored to the end, and that is an error. */
    private static final int MOST_RUNS = 2_000_000;

    private final Deque<Choice> path = new ArrayDeque<>();

    private Explorer() {}

    /**
     * Checks the world at the end of every order.
     *
     * @return in how many orders it ran
     * @throws AssertionError at the first that is wrong, with the calls that led there
     */
    static int explore(Supplier<World> worlds) {
        return new Explorer().run(worlds);
    }

    private int run(Supplier<World> worlds) {
        int runs = 0;
        do {
            World world = worlds.get();
            path.forEach(choice -> world.perform(choice.chosen()));
            if (runToTheEnd(world)) {
                runs++;
                world.check();
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

    /** False if all that could come next was run in another order already. */
    private boolean runToTheEnd(World world) {
        for (List<Action> enabled = world.enabled(); !enabled.isEmpty(); enabled = world.enabled()) {
            Choice choice = new Choice(
                    enabled, path.isEmpty() ? Set.of() : path.getLast().asleepAfter());
            if (!choice.next()) {
                return false;
            }
            path.addLast(choice);
            world.perform(choice.chosen());
        }
        return true;
    }

    /** What can be done at one moment, and what of it need not be. */
    private static final class Choice {
        private final List<Action> enabled;
        private final Set<Action> asleep;
        private Action chosen;

        Choice(List<Action> enabled, Set<Action> asleep) {
            this.enabled = enabled;
            this.asleep = new LinkedHashSet<>(asleep);
        }

        boolean next() {
            if (chosen != null) {
                asleep.add(chosen);
            }
            chosen = enabled.stream()
                    .filter(action -> !asleep.contains(action))
                    .findFirst()
                    .orElse(null);
            return chosen != null;
        }

        Action chosen() {
            return chosen;
        }

        Set<Action> asleepAfter() {
            Set<Action> still = new LinkedHashSet<>(asleep);
            still.removeIf(action -> !action.isIndependentOf(chosen));
            return still;
        }
    }
}
