package io.counterkit.tck.internal.model;

import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Every series of a few changes of one counter, or of one sequence, by several processes, each on a name that a store
 * could take for another one. Compares each answer with a model, and what each way to look at the name shows: after the
 * last change, and after some of those before it.
 */
public final class SeriesRun {
    private static final int LONGEST = 3;

    /** How many changes are made for each one before the last that is followed by a comparison. */
    private static final int ONE_OF = 4;

    private final Kind kind;
    private final List<CounterBackend> processes;
    private final Supplier<Commit> commits;
    private final Random random;
    private final List<Group> groups = new ArrayList<>();

    /** The series that begin with one change, and the model of their names, which have a prefix in common. */
    private record Group(String prefix, List<List<Step>> series, StoreModel model) {
        String name(int number) {
            return model.names.get(number);
        }
    }

    /** Creates a run on names that start with {@code prefix}; none of them was used. */
    public SeriesRun(
            Kind kind, List<CounterBackend> processes, Supplier<Commit> commits, String prefix, Random random) {
        this.kind = kind;
        this.processes = processes;
        this.commits = commits;
        this.random = random;
        List<Step> steps = (kind == Kind.COUNTER ? CounterSteps.all() : SequenceSteps.all())
                .stream()
                        .filter(step -> processes.get(0).capabilities().containsAll(step.needs()))
                        .toList();
        for (Step first : steps) {
            List<List<Step>> series = new ArrayList<>();
            addLonger(series, List.of(first), steps);
            String ofGroup = prefix + "/" + groups.size() + "/";
            List<String> names = names(ofGroup, series.size());
            groups.add(new Group(ofGroup, series, new StoreModel(names, commits)));
        }
    }

    /** Returns similar names, chosen at random, that start with {@code prefix}. */
    private List<String> names(String prefix, int count) {
        List<String> names = new ArrayList<>(SimilarTexts.family(prefix, Limits.MAX_NAME_BYTES, random));
        Collections.shuffle(names, random);
        while (names.size() < count) {
            names.add(prefix + names.size());
        }
        return names.subList(0, count);
    }

    /** Adds the longest series that begin with these changes. The shorter ones are parts of them. */
    private static void addLonger(List<List<Step>> series, List<Step> begun, List<Step> steps) {
        if (begun.size() == LONGEST) {
            series.add(begun);
            return;
        }
        for (Step next : steps) {
            List<Step> longer = new ArrayList<>(begun);
            longer.add(next);
            addLonger(series, longer, steps);
        }
    }

    /** Returns all series. */
    public List<Runnable> all() {
        List<Runnable> trials = new ArrayList<>();
        for (Group group : groups) {
            for (int i = 0; i < group.series().size(); i++) {
                int number = i;
                trials.add(() -> run(group, number));
            }
        }
        return trials;
    }

    private void run(Group group, int number) {
        String name = group.name(number);
        StringBuilder doing = new StringBuilder("changes of " + SimilarTexts.shown(name));
        AppliedCommits applied = random.nextBoolean() ? new AppliedCommits() : null;
        int made = 0;
        for (Step step : group.series().get(number)) {
            doing.append(made == 0 ? ": " : ", then ").append(step.label());
            if (!step.made().by(new Step.Turn(process(), group.model(), name, commits, applied, doing.toString()))) {
                break;
            }
            made++;
            if (made == LONGEST || random.nextInt(ONE_OF) == 0) {
                compare(group.model(), name, doing.toString());
            }
        }
        if (applied != null) {
            applied.compare(process(), commits, doing.toString());
        }
    }

    private void compare(StoreModel model, String name, String doing) {
        if (kind == Kind.COUNTER) {
            model.compareCounter(process(), name, doing);
        } else {
            model.compareSequence(process(), name, name, doing);
        }
    }

    /** Compares the store's lists, which may lag. */
    public void compareLists() {
        groups.forEach(group -> group.model().compareLists(process(), group.prefix(), "after all series"));
    }

    private CounterBackend process() {
        return processes.get(random.nextInt(processes.size()));
    }
}
