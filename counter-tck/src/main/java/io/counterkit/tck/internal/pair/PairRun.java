package io.counterkit.tck.internal.pair;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.ConcurrentTasks.Overtaken;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Carries out every two operations on one name at once, or two of them while a third one is late. Compares the answers
 * and the state with those of their orders.
 */
public final class PairRun implements AutoCloseable {
    /** How often each pair races. */
    private static final int RACES = 3;

    /** How often another process looks in each way while a change is carried out. */
    private static final int LOOKS = 3;

    private final BackendFixture fixture;
    private final ConcurrentTasks tasks;
    private final Orders orders;
    private final Set<Capability> capabilities;
    private final List<PairedOperation> batches;
    private final List<PairedOperation> operations;

    /** @param processes those that act, and one that looks */
    public PairRun(
            BackendFixture fixture,
            List<CounterBackend> processes,
            Supplier<String> names,
            Supplier<Commit> commits,
            Kind kind) {
        this.fixture = fixture;
        this.tasks = new ConcurrentTasks(fixture);
        this.orders = new Orders(kind, processes, names, commits);
        this.capabilities = processes.get(0).capabilities();
        this.batches = PairedBatches.of(kind, processes.get(0));
        this.operations = Stream.concat(PairedOperation.of(kind, capabilities).stream(), batches.stream())
                .toList();
    }

    /** Returns the trials of pairs: each two operations in a race, and with each call of the first one late. */
    public List<TimedTrial> pairs() {
        List<TimedTrial> trials = new ArrayList<>();
        for (Before before : Before.values()) {
            List<PairedOperation> allowed = allowed(before);
            for (PairedOperation first : allowed) {
                for (PairedOperation second : allowed) {
                    if (first.canMeet(second)) {
                        if (allowed.indexOf(first) <= allowed.indexOf(second)) {
                            trials.add(() -> race(before, List.of(first, second)));
                        }
                        trials.add(() -> late(before, List.of(first, second)));
                    }
                }
            }
        }
        return trials;
    }

    /** Returns the trials of each change, with each of its calls late, at whose name another process looks meanwhile. */
    public List<TimedTrial> looks() {
        List<TimedTrial> trials = new ArrayList<>();
        for (Before before : Before.values()) {
            allowed(before).stream()
                    .filter(PairedOperation::isMain)
                    .forEach(change -> trials.add(() -> look(before, change)));
        }
        return trials;
    }

    private void look(Before before, PairedOperation change) throws Exception {
        for (int round = 0; round < RACES; round++) {
            look(before, change, 0);
        }
        int call = 1;
        while (look(before, change, call)) {
            call++;
        }
    }

    /** Looks while a change is carried out, and a call of it is held unless that is 0. Returns whether a call was held. */
    private boolean look(Before before, PairedOperation change, int call) throws Exception {
        boolean hasLists = fixture.lag().isZero();
        Scene scene = orders.prepare(before);
        Supplier<List<String>> looks = () -> scene.looks(orders.looking(), hasLists);
        List<String> first = looks.get();
        Supplier<List<List<String>>> several =
                () -> Stream.generate(looks).limit(LOOKS).toList();
        List<List<String>> meanwhile;
        boolean isHeld = false;
        if (call == 0) {
            List<List<List<String>>> results = tasks.runAtOnce(2, thread -> {
                if (thread == 1) {
                    return several.get();
                }
                orders.answer(List.of(change), 0, scene);
                return List.of();
            });
            meanwhile = results.get(1);
        } else {
            Overtaken<String, List<List<String>>> overtaken =
                    tasks.overtake(call, () -> orders.answer(List.of(change), 0, scene), several::get);
            isHeld = overtaken.isHeld();
            meanwhile = overtaken.other();
        }
        checkOneMoment(
                change.label() + " of " + before + (call == 0 ? "" : ", held at call " + call),
                first,
                meanwhile,
                looks.get());
        return isHeld;
    }

    /** Checks that no way to look shows a change as not made after another one has shown it. */
    private static void checkOneMoment(
            String label, List<String> first, List<List<String>> meanwhile, List<String> last) {
        boolean isSeen = false;
        for (List<String> shown : meanwhile) {
            for (int i = 0; i < first.size(); i++) {
                boolean isNew = !shown.get(i).equals(first.get(i));
                assertThat(shown.get(i))
                        .as(
                                "%s: what is shown meanwhile, %s was shown, one after another, before it %s and after it %s",
                                label, meanwhile, first, last)
                        .isEqualTo(isNew || isSeen ? last.get(i) : first.get(i));
                isSeen |= isNew;
            }
        }
    }

    /** Returns the trials of each change or batch that is late while each two others are carried out, one after the other. */
    public List<TimedTrial> lateOnes() {
        List<TimedTrial> trials = new ArrayList<>();
        for (Before before : Before.values()) {
            List<PairedOperation> changes =
                    allowed(before).stream().filter(PairedOperation::isMain).toList();
            for (PairedOperation late :
                    Stream.concat(changes.stream(), batches.stream()).toList()) {
                for (PairedOperation second : changes) {
                    for (PairedOperation third : changes) {
                        trials.add(() -> late(before, List.of(late, second, third)));
                    }
                }
            }
        }
        return trials;
    }

    /** Returns the trial of an addition that is late while the name is sealed and its subject imported, if that is possible. */
    public List<TimedTrial> lateAdditions() {
        Set<String> labels = Set.of("an addition", "a seal", "an import of a subject");
        List<PairedOperation> three = allowed(Before.IMPORT).stream()
                .filter(operation -> labels.contains(operation.label()))
                .toList();
        return three.size() == labels.size() ? List.of(() -> late(Before.IMPORT, three)) : List.of();
    }

    private List<PairedOperation> allowed(Before before) {
        return operations.stream()
                .filter(operation -> before.allows(operation, capabilities))
                .toList();
    }

    private void race(Before before, List<PairedOperation> pair) throws Exception {
        for (int round = 0; round < RACES; round++) {
            Scene scene = orders.prepare(before);
            List<String> answers = tasks.runAtOnce(2, thread -> orders.answer(pair, thread, scene));
            orders.check("at once", before, pair, scene, answers);
        }
    }

    /** Holds each call of the first operation in turn, and carries out the others meanwhile. */
    private void late(Before before, List<PairedOperation> several) throws Exception {
        boolean isHeld = true;
        for (int call = 1; isHeld; call++) {
            Scene scene = orders.prepare(before);
            Overtaken<String, List<String>> overtaken =
                    tasks.overtake(call, () -> orders.answer(several, 0, scene), () -> {
                        List<String> others = new ArrayList<>();
                        for (int i = 1; i < several.size(); i++) {
                            others.add(orders.answer(several, i, scene));
                        }
                        return others;
                    });
            isHeld = overtaken.isHeld();
            List<String> answers = new ArrayList<>(List.of(overtaken.result()));
            answers.addAll(overtaken.other());
            orders.check(
                    "the first held at call " + call + " while the rest was carried out",
                    before,
                    several,
                    scene,
                    answers);
        }
    }

    @Override
    public void close() {
        tasks.close();
    }
}
