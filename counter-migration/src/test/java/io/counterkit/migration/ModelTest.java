package io.counterkit.migration;

import io.counterkit.migration.SteppedProcess.Fate;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A few steps of a few processes, in every order: no gap, no double, no lost change, no read that is wrong. */
class ModelTest {
    @Test
    void twoMigratingProcessesUseAnUnknownNameForTheFirstTime() {
        System.out.println(explore(world -> {
            world.migrating("a", 100).then(world.attempt(world.append("a1")));
            world.migrating("b", 100).then(world.attempt(world.append("b1")));
        }));
    }

    @Test
    void oldProcessAppendsWhileANewOneMoves() {
        System.out.println(explore(world -> {
            world.before(world.append("before"));
            world.old("old").then(world.attempt(world.append("o1"))).then(world.attempt(world.append("o2")));
            world.migrating("a", 100).then(world.attempt(world.append("a1"))).then(world.attempt(world.append("a2")));
        }));
    }

    static int explore(Consumer<World> scenario) {
        return explore(Mutant.NONE, Map.of(), scenario);
    }

    static int explore(Mutant mutant, Map<String, Fate> fates, Consumer<World> scenario) {
        return Explorer.explore(() -> {
            World world = new World(mutant, fates);
            scenario.accept(world);
            return world;
        });
    }
}
