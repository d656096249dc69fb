package io.counterkit.tck.internal.pair;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.ConcurrentTasks.Overtaken;
import io.counterkit.tck.internal.fault.OvertakingLimit;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Carries out every pair of operations on one name concurrently, or two of them while a third one is late. Compares the
 * answers and the state with those of the possible orders.
 */
public final class PairRun {
    /** How often each pair races. */
    private static final int RACES = 3;

    /** How often another process makes every kind of read while a change is carried out. */
    private static final int READS = 3;

    private final ConcurrentTasks tasks;
    private final OvertakingLimit limit = new OvertakingLimit();
    private final Orders orders;
    private final Set<Capability> capabilities;
    private final boolean hasLists;
    private final List<PairedOperation> batches;
    private final List<PairedOperation> changes;
    private final List<PairedOperation> reads;

    /**
     * @param hasLists whether the store's lists show each change immediately
     * @param processes the processes that act, and one that reads the state
     */
    public PairRun(
            ConcurrentTasks tasks,
            boolean hasLists,
            List<CounterBackend> processes,
            Supplier<String> names,
            Supplier<Commit> commits,
            Kind kind) {
        this.tasks = tasks;
        this.orders = new Orders(kind, processes, names, commits);
        this.capabilities = processes.get(0).capabilities();
        this.hasLists = hasLists;
        this.batches = PairedBatches.of(kind, processes.get(0));
        this.changes = Stream.concat(PairedOperation.of(kind, capabilities).stream(), batches.stream())
                .toList();
        this.reads = PairedReads.all(kind, capabilities, hasLists);
    }

    /** Returns the trials in which two operations race, at least one of which is a change. */
    public List<TimedTrial> races() {
        return pairs(true, (before, pair) -> race(before, pair));
    }

    /** Returns the trials in which each call of an operation is held while a change is carried out. */
    public List<TimedTrial> latePairs() {
        return pairs(false, (before, pair) -> late(before, pair));
    }

    private interface Meeting {
        void run(Before before, List<PairedOperation> pair) throws Exception;
    }

    /** @param isSymmetric whether the order of two changes makes no difference, so that each pair is tried once */
    private List<TimedTrial> pairs(boolean isSymmetric, Meeting meeting) {
        List<TimedTrial> trials = new ArrayList<>();
        for (Before before : Before.values()) {
            List<PairedOperation> allowed = allowed(before);
            for (int i = 0; i < allowed.size(); i++) {
                PairedOperation second = allowed.get(i);
                Stream.concat(allowed.stream().limit(isSymmetric ? i + 1 : allowed.size()), reads.stream())
                        .filter(first -> first.canPairWith(second))
                        .forEach(first -> trials.add(() -> meeting.run(before, List.of(first, second))));
            }
        }
        return trials;
    }

    /** Returns the trials in which another process reads the name while each call of a change is held. */
    public List<TimedTrial> strongReads() {
        List<TimedTrial> trials = new ArrayList<>();
        for (Before before : Before.values()) {
            allowed(before).stream()
                    .filter(PairedOperation::isMain)
                    .forEach(change -> trials.add(() -> read(before, change)));
        }
        return trials;
    }

    private void read(Before before, PairedOperation change) throws Exception {
        for (int round = 0; round < RACES; round++) {
            read(before, change, 0);
        }
        int call = 1;
        while (read(before, change, call)) {
            call++;
        }
    }

    /**
     * Reads while a change is carried out, and its call {@code call} is held unless that is 0. Returns whether it was.
     */
    private boolean read(Before before, PairedOperation change, int call) throws Exception {
        Scene scene = orders.prepare(before);
        Supplier<List<String>> shown = () -> scene.strongReads(orders.observing(), hasLists);
        List<String> first = shown.get();
        Supplier<List<List<String>>> several =
                () -> Stream.generate(shown).limit(READS).toList();
        List<List<String>> meanwhile;
        boolean isHeld = false;
        if (call == 0) {
            List<List<List<String>>> results = tasks.callAtOnce(2, thread -> {
                if (thread == 1) {
                    return several.get();
                }
                orders.answer(List.of(change), 0, scene);
                return List.of();
            });
            meanwhile = results.get(1);
        } else {
            Overtaken<String, List<List<String>>> overtaken =
                    tasks.overtake(call, () -> orders.answer(List.of(change), 0, scene), several::get, limit);
            isHeld = overtaken.isHeld();
            meanwhile = overtaken.other();
        }
        checkOneMoment(
                change.label() + " of " + before + (call == 0 ? "" : ", held at call " + call),
                first,
                meanwhile,
                shown.get());
        return isHeld;
    }

    /** Checks that no read misses a change that an earlier read has shown. */
    private static void checkOneMoment(
            String label, List<String> first, List<List<String>> meanwhile, List<String> last) {
        boolean isSeen = false;
        for (List<String> shown : meanwhile) {
            for (int i = 0; i < first.size(); i++) {
                boolean isNew = !shown.get(i).equals(first.get(i));
                assertThat(shown.get(i))
                        .as(
                                "%s: a read during the change, which must not miss it after an earlier read has shown"
                                        + " it; the reads before the change: %s, during it: %s, after it: %s",
                                label, first, meanwhile, last)
                        .isEqualTo(isNew || isSeen ? last.get(i) : first.get(i));
                isSeen |= isNew;
            }
        }
    }

    /**
     * Returns the trials in which each change, batch or read is late while two changes are carried out, one after the
     * other.
     */
    public List<TimedTrial> lateOnes() {
        List<TimedTrial> trials = new ArrayList<>();
        for (Before before : Before.values()) {
            List<PairedOperation> main =
                    allowed(before).stream().filter(PairedOperation::isMain).toList();
            List<PairedOperation> ofOneMoment =
                    reads.stream().filter(PairedReads::isOfOneMoment).toList();
            List<PairedOperation> lateOnes =
                    Stream.of(main, batches, ofOneMoment).flatMap(List::stream).toList();
            for (PairedOperation late : lateOnes) {
                for (PairedOperation second : main) {
                    for (PairedOperation third : main) {
                        trials.add(() -> late(before, List.of(late, second, third)));
                    }
                }
            }
        }
        return trials;
    }

    /** Returns the trial of an addition that is late while the name is sealed and its subject imported, if possible. */
    public List<TimedTrial> lateAdditions() {
        Set<String> labels = Set.of("an addition", "a seal", "an import of a subject");
        List<PairedOperation> three = allowed(Before.IMPORT).stream()
                .filter(operation -> labels.contains(operation.label()))
                .toList();
        return three.size() == labels.size() ? List.of(() -> late(Before.IMPORT, three)) : List.of();
    }

    private List<PairedOperation> allowed(Before before) {
        return changes.stream()
                .filter(change -> before.allows(change, capabilities))
                .toList();
    }

    private void race(Before before, List<PairedOperation> pair) throws Exception {
        for (int round = 0; round < RACES; round++) {
            Scene scene = orders.prepare(before);
            List<String> answers = tasks.callAtOnce(2, thread -> orders.answer(pair, thread, scene));
            orders.check("carried out concurrently", before, pair, scene, answers);
        }
    }

    /**
     * Holds each call of the first operation in turn, and carries out the others meanwhile. If the first one is a
     * change, a process also reads the state meanwhile: a state that is read only at the end may fit another order.
     */
    private void late(Before before, List<PairedOperation> several) throws Exception {
        boolean isObserved = several.get(0).isOneStep() && !reads.contains(several.get(0));
        boolean isHeld = true;
        for (int call = 1; isHeld; call++) {
            Scene scene = orders.prepare(before);
            Supplier<String> read = () -> scene.answer(() -> everyRead().sent().to(orders.observing(), scene));
            List<String> shown = new ArrayList<>();
            Overtaken<String, List<String>> overtaken = tasks.overtake(
                    call,
                    () -> orders.answer(several, 0, scene),
                    () -> {
                        List<String> others = new ArrayList<>();
                        for (int i = 1; i < several.size(); i++) {
                            others.add(orders.answer(several, i, scene));
                        }
                        if (isObserved) {
                            shown.addAll(List.of(read.get(), read.get()));
                        }
                        return others;
                    },
                    limit);
            isHeld = overtaken.isHeld();
            List<PairedOperation> operations = new ArrayList<>(several);
            List<String> answers = new ArrayList<>(List.of(overtaken.result()));
            answers.addAll(overtaken.other());
            if (isObserved && overtaken.isOvertaken() && shown.get(0).equals(shown.get(1))) { // of one moment
                operations.add(everyRead());
                answers.add(shown.get(0));
            }
            orders.check(
                    "the first one held at call " + call + " while the rest was carried out",
                    before,
                    operations,
                    scene,
                    answers);
        }
    }

    /** Returns the operation that makes every kind of strong read. */
    private PairedOperation everyRead() {
        return PairedOperation.operation(
                "every strong read",
                (process, scene) -> CompletableFuture.completedFuture(scene.strongReads(process, hasLists)));
    }
}
