package io.counterkit.tck.internal.pair;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.fault.Trial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Carries out every two operations on one name at once, and compares the answers and the state with those of their two
 * orders, which it carries out with the same backend on other names.
 */
public final class PairRun implements AutoCloseable {
    /** How often each pair races. */
    private static final int RACES = 3;

    private final BackendFixture fixture;
    private final List<CounterBackend> processes;
    private final ConcurrentTasks tasks;
    private final Supplier<String> names;
    private final Supplier<Commit> commits;
    private final Kind kind;
    private final Set<Capability> capabilities;

    /** The outcomes of each pair, one operation after the other. */
    private final Map<String, Set<Outcome>> inOrder = new HashMap<>();

    /** What a name has before. */
    private enum Before {
        NOTHING("an unused name"),
        CONTENT("a name in use"),
        IMPORT("an imported name");

        private final String label;

        Before(String label) {
            this.label = label;
        }
    }

    /** The answers of two operations, and the state after them. */
    private record Outcome(String first, String second, String state) {}

    /** @param processes two processes that act and one that looks */
    public PairRun(
            BackendFixture fixture,
            List<CounterBackend> processes,
            Supplier<String> names,
            Supplier<Commit> commits,
            Kind kind) {
        this.fixture = fixture;
        this.tasks = new ConcurrentTasks(fixture);
        this.processes = processes;
        this.names = names;
        this.commits = commits;
        this.kind = kind;
        this.capabilities = processes.get(0).capabilities();
    }

    /** Returns the trials: each two operations in a race, and with each call of the first one late. */
    public List<TimedTrial> trials() {
        List<TimedTrial> trials = new ArrayList<>();
        List<PairedOperation> operations = PairedOperation.of(kind, capabilities);
        for (Before before : Before.values()) {
            for (PairedOperation first : operations) {
                for (PairedOperation second : operations) {
                    if (first.canMeet(second) && isPossible(before, first) && isPossible(before, second)) {
                        if (operations.indexOf(first) <= operations.indexOf(second)) {
                            trials.add(() -> race(before, first, second));
                        }
                        trials.add(() -> late(before, first, second));
                    }
                }
            }
        }
        return trials;
    }

    private boolean isPossible(Before before, PairedOperation operation) {
        return before == Before.IMPORT ? capabilities.contains(Capability.IMPORT) : !operation.isOfImported();
    }

    private void race(Before before, PairedOperation first, PairedOperation second) throws Exception {
        for (int round = 0; round < RACES; round++) {
            Scene scene = prepare(before);
            List<String> answers =
                    tasks.runAtOnce(2, thread -> answer(thread == 0 ? first : second, processes.get(thread), scene));
            check(
                    "at once",
                    before,
                    first,
                    second,
                    new Outcome(answers.get(0), answers.get(1), scene.state(processes.get(2))));
        }
    }

    /**
     * Holds each call of the first operation in turn, and carries out the second one meanwhile. Ends the hold if the
     * second one does not answer, since it may wait for a lock of the first one.
     */
    private void late(Before before, PairedOperation first, PairedOperation second) throws Exception {
        boolean isHeld = true;
        for (int call = 1; isHeld; call++) {
            Scene scene = prepare(before);
            Future<String> sending;
            Future<String> then;
            Trial held = Trial.hold(fixture.faults(), call);
            try {
                sending = tasks.start(() -> answer(first, processes.get(0), scene));
                isHeld = held.awaitHit(sending::isDone);
                then = tasks.start(() -> answer(second, processes.get(1), scene));
                ConcurrentTasks.awaitBriefly(then::isDone);
            } finally {
                held.end();
            }
            check(
                    "the first held at call " + call + " while the second was carried out",
                    before,
                    first,
                    second,
                    new Outcome(
                            ConcurrentTasks.result(sending),
                            ConcurrentTasks.result(then),
                            scene.state(processes.get(2))));
        }
    }

    private void check(String how, Before before, PairedOperation first, PairedOperation second, Outcome outcome) {
        assertThat(expected(before, first, second))
                .as(
                        "%s and %s of %s, %s: the two answers and the state, of which each order has these",
                        first.label(), second.label(), before.label, how)
                .contains(outcome);
    }

    private Set<Outcome> expected(Before before, PairedOperation first, PairedOperation second) {
        return inOrder.computeIfAbsent(before + first.label() + second.label(), unknown -> {
            Set<Outcome> expected = new HashSet<>();
            Scene one = prepare(before);
            String answer = answer(first, processes.get(0), one);
            expected.add(new Outcome(answer, Scene.NOT_APPLIED, one.state(processes.get(2))));
            Scene other = prepare(before);
            answer = answer(second, processes.get(1), other);
            expected.add(new Outcome(Scene.NOT_APPLIED, answer, other.state(processes.get(2))));
            Scene forward = prepare(before);
            answer = answer(first, processes.get(0), forward);
            expected.add(
                    new Outcome(answer, answer(second, processes.get(1), forward), forward.state(processes.get(2))));
            Scene backward = prepare(before);
            answer = answer(second, processes.get(1), backward);
            expected.add(
                    new Outcome(answer(first, processes.get(0), backward), answer, backward.state(processes.get(2))));
            return expected;
        });
    }

    private Scene prepare(Before before) {
        Scene scene = new Scene(kind, names.get(), IdempotencyToken.random(), commits);
        CounterBackend looking = processes.get(2);
        switch (before) {
            case NOTHING -> {}
            case IMPORT ->
                looking.migration()
                        .importBase(
                                kind,
                                scene.name(),
                                new ImportedState("origin", true, 2, kind == Kind.COUNTER ? 0 : 3),
                                scene.commit())
                        .join();
            case CONTENT -> {
                if (kind == Kind.COUNTER) {
                    looking.counters()
                            .add(List.of(new AddRequest(scene.name(), 5, null)), scene.commit())
                            .join();
                } else {
                    append(looking, scene, new AppendRequest(Change.ADDED, "s", Map.of("secret", "x"), null));
                    append(looking, scene, new AppendRequest(Change.ADDED, null, Map.of("secret", "y"), null));
                }
            }
        }
        return scene;
    }

    private static void append(CounterBackend looking, Scene scene, AppendRequest request) {
        looking.sequences()
                .append(scene.name(), List.of(request), scene.commit())
                .join();
    }

    private static String answer(PairedOperation operation, CounterBackend process, Scene scene) {
        return scene.answer(() -> operation.sent().to(process, scene));
    }

    @Override
    public void close() {
        tasks.close();
    }
}
