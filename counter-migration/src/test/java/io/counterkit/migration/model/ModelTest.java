package io.counterkit.migration.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.counterkit.migration.internal.routing.Mutant;
import io.counterkit.migration.internal.routing.Mutants;
import io.counterkit.migration.internal.routing.World;
import io.counterkit.migration.model.SteppedProcess.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * A few steps of a few processes, in every order of their calls, with every process killed after every call and every
 * reply lost: no gap, no duplicate, no lost change and no wrong read.
 */
class ModelTest {
    /** More calls than any process in any scenario makes. */
    private static final int MOST_CALLS = 60;

    @TestFactory
    Stream<DynamicTest> everyOrderIsRight() {
        return Scenarios.ALL.entrySet().stream()
                .map(scenario -> dynamicTest(scenario.getKey(), () -> {
                    int runs = explore(Mutant.NONE, Map.of(), new AtomicBoolean(), scenario.getValue());
                    assertThat(runs).isGreaterThan(10);
                }));
    }

    @TestFactory
    @Tag("exhaustive")
    Stream<DynamicTest> everyOrderIsRightThoughAProcessDies() {
        return Scenarios.ALL.keySet().stream().flatMap(scenario -> injectIntoEach(scenario, call -> new Fate(call, 0)));
    }

    @TestFactory
    @Tag("exhaustive")
    Stream<DynamicTest> everyOrderIsRightThoughAReplyIsLost() {
        return Scenarios.ALL.keySet().stream().flatMap(scenario -> injectIntoEach(scenario, call -> new Fate(0, call)));
    }

    private static Stream<DynamicTest> injectIntoEach(String scenario, IntFunction<Fate> fate) {
        World world = new World(Mutant.NONE, Map.of());
        Scenarios.ALL.get(scenario).accept(world);
        return world.processNames().stream()
                .map(process -> dynamicTest(
                        scenario + ": " + process, () -> injectAtEachCall(Scenarios.ALL.get(scenario), process, fate)));
    }

    /** Injects the fault at each call, until the process makes no more calls in any order. */
    private static void injectAtEachCall(Consumer<World> scenario, String process, IntFunction<Fate> fate) {
        AtomicBoolean met = new AtomicBoolean(true);
        for (int call = 1; met.get(); call++) {
            met.set(false);
            int unused = explore(Mutant.NONE, Map.of(process, fate.apply(call)), met, scenario);
            assertThat(call).isLessThan(MOST_CALLS);
        }
    }

    private static int explore(Mutant mutant, Map<String, Fate> fates, AtomicBoolean met, Consumer<World> scenario) {
        return Explorer.explore(
                () -> {
                    World world = new World(mutant, fates);
                    scenario.accept(world);
                    return world;
                },
                world -> {
                    if (world.isFateMet()) {
                        met.set(true);
                    }
                    world.check();
                });
    }

    @TestFactory
    Stream<DynamicTest> aRuleThatIsLeftOutIsMissed() {
        return Mutants.ALL.entrySet().stream()
                .map(mutant -> dynamicTest(mutant.getValue() + ": " + mutant.getKey(), () -> {
                    List<String> orders = new ArrayList<>();
                    Scenarios.ALL.values().stream()
                            .takeWhile(scenario -> orders.isEmpty())
                            .forEach(scenario -> {
                                try {
                                    explore(mutant.getKey(), Map.of(), new AtomicBoolean(), scenario);
                                } catch (AssertionError wrong) {
                                    orders.add(wrong.getMessage());
                                }
                            });
                    assertThat(orders).as("an order in which it goes wrong").isNotEmpty();
                }));
    }
}
