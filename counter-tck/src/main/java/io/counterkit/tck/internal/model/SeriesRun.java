package io.counterkit.tck.internal.model;

import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes every short series of changes of one counter or one sequence, every short series after a seal of a used name,
 * and some longer ones. Several processes make the changes. Each series has a name of its own, which a store could
 * mistake for another one. Compares each answer with a model, and after the last change and some earlier ones also the
 * result of every kind of read.
 */
public final class SeriesRun {
    private static final int LONGEST = 3;

    /** How many longer series of random changes there are. */
    private static final int WALKS = 500;

    /** The number of changes that each series has after a seal of a used name. */
    private static final int AFTER_SEAL = 2;

    private static final int ONE_LONG_IN = 3;

    /** Of the changes before the last one, one in so many is followed by a comparison. */
    private static final int ONE_OF = 4;

    private final Kind kind;
    private final List<CounterBackend> processes;
    private final Supplier<Commit> commits;
    private final boolean hasLists;
    private final Random random;
    private final List<Group> groups = new ArrayList<>();
    private final List<Consumer<CounterBackend>> made = new ArrayList<>();

    /** Series of one kind, and the model of their names, which have a prefix in common. */
    private record Group(String prefix, List<List<Step>> series, StoreModel model) {
        String name(int number) {
            return model.names.get(number);
        }
    }

    /**
     * Creates a run on names that start with {@code prefix}; none of them was used.
     *
     * @param hasLists whether the store's lists show each change immediately
     */
    public SeriesRun(
            Kind kind,
            List<CounterBackend> processes,
            Supplier<Commit> commits,
            boolean hasLists,
            String prefix,
            Random random) {
        this.kind = kind;
        this.processes = processes;
        this.commits = commits;
        this.hasLists = hasLists;
        this.random = random;
        List<Step> steps = possible(kind == Kind.COUNTER ? CounterSteps.all() : SequenceSteps.all());
        for (Step first : steps) {
            List<List<Step>> series = new ArrayList<>();
            addLonger(series, List.of(first), LONGEST, steps);
            addGroup(prefix + "/" + groups.size() + "/", series);
        }
        addSealed(prefix + "/sealed/", steps);
        if (hasPaths()) {
            addPaths(prefix + "/paths/", steps);
        }
        addWalks(prefix + "/walks/", steps);
    }

    private void addGroup(String prefix, List<List<Step>> series) {
        groups.add(new Group(prefix, series, new StoreModel(names(prefix, series.size()), commits)));
    }

    /** Adds every series of changes after a seal of a name that was used in one of several ways. */
    private void addSealed(String prefix, List<Step> steps) {
        List<List<Step>> series = new ArrayList<>();
        for (List<Step> used : kind == Kind.COUNTER ? CounterSteps.used() : SequenceSteps.used()) {
            List<Step> begun = new ArrayList<>(possible(used));
            Step.inRole(Step.Role.SEAL, steps).stream().limit(1).forEach(begun::add);
            addLonger(series, begun, begun.size() + AFTER_SEAL, steps);
        }
        addGroup(prefix, series);
    }

    /** Adds every series of changes between the opening of a fast path and an add by it. */
    private void addPaths(String prefix, List<Step> steps) {
        List<List<Step>> series = new ArrayList<>();
        addLonger(series, List.of(), LONGEST - 1, steps);
        addGroup(
                prefix,
                series.stream()
                        .flatMap(begun -> CounterSteps.further().stream().map(last -> longer(begun, last)))
                        .toList());
    }

    /** Adds longer series of random changes, which reach states that no short one reaches. */
    private void addWalks(String prefix, List<Step> steps) {
        List<Step> further = new ArrayList<>(steps);
        further.addAll(possible(kind == Kind.COUNTER ? CounterSteps.further() : SequenceSteps.further()));
        List<List<Step>> walks = new ArrayList<>();
        while (walks.size() < WALKS) {
            walks.add(RandomSteps.walk(further, random));
        }
        addGroup(prefix, walks);
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    private List<Step> possible(List<Step> steps) {
        Set<Capability> capabilities = processes.get(0).capabilities();
        return steps.stream()
                .filter(step -> capabilities.containsAll(step.needs()))
                .toList();
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

    /** Adds the series of this length that begin with these changes. The shorter ones are parts of them. */
    private static void addLonger(List<List<Step>> series, List<Step> begun, int length, List<Step> steps) {
        if (begun.size() == length) {
            series.add(begun);
        } else {
            steps.forEach(next -> addLonger(series, longer(begun, next), length, steps));
        }
    }

    private static List<Step> longer(List<Step> begun, Step next) {
        return Stream.concat(begun.stream(), Stream.of(next)).toList();
    }

    /** Returns all series in a random order, in which every third one is long until all long ones are used. */
    public List<Runnable> all() {
        List<Runnable> all = new ArrayList<>();
        for (Group group : groups.subList(0, groups.size() - 1)) {
            all.addAll(trials(group));
        }
        Collections.shuffle(all, random);
        List<Runnable> walks = trials(groups.get(groups.size() - 1));
        for (int i = 0; i < walks.size(); i++) {
            all.add(Math.min(all.size(), ONE_LONG_IN * i), walks.get(i));
        }
        return all;
    }

    private List<Runnable> trials(Group group) {
        return IntStream.range(0, group.series().size())
                .mapToObj(number -> (Runnable) () -> run(group, number))
                .toList();
    }

    private void run(Group group, int number) {
        String name = group.name(number);
        StringBuilder doing = new StringBuilder("changes of " + SimilarTexts.shown(name));
        AppliedCommits applied = random.nextBoolean() ? new AppliedCommits() : null;
        String then = ": ";
        List<Step> series = group.series().get(number);
        if (random.nextInt(ONE_OF) > 0) {
            processes.forEach(process -> group.model().path(process, name));
        }
        for (int i = 0; i < series.size(); i++) {
            Step step = series.get(i);
            String next = doing + then + step.label();
            if (step.action().run(new Step.Turn(process(), group.model(), name, commits, random, applied, next))) {
                doing.append(then).append(step.label());
                then = ", then ";
            }
            group.model().counter(name).changed();
            if (i < series.size() - 1 && random.nextInt(ONE_OF) == 0) {
                compare(group.model(), process(), name, doing.toString());
            }
        }
        Consumer<CounterBackend> check = process -> {
            compare(group.model(), process, name, doing.toString());
            if (applied != null) {
                applied.compare(process, commits, doing.toString());
            }
        };
        check.accept(process());
        made.add(check);
    }

    private void compare(StoreModel model, CounterBackend process, String name, String doing) {
        boolean isListed = hasLists && random.nextInt(ONE_OF) == 0;
        if (kind == Kind.COUNTER) {
            model.compareCounter(process, name, doing);
            if (isListed) {
                StoreLists.compareCounter(model, process, name, doing);
            }
        } else {
            model.compareSequence(process, name, name, doing);
            if (isListed) {
                StoreLists.compareSequence(model, process, name, doing);
            }
        }
    }

    /**
     * Repeats in this process the comparison after the last change of each series, and compares what each token means.
     */
    public void compareAgain(CounterBackend process) {
        made.forEach(check -> check.accept(process));
        groups.forEach(group -> group.model().compareTokens(process, "after all series"));
    }

    /** Compares the store's lists, which may lag. */
    public void compareLists() {
        groups.forEach(group -> StoreLists.compare(group.model(), process(), group.prefix(), "after all series"));
    }

    private boolean hasPaths() {
        CounterStore counters = process().counters();
        return kind == Kind.COUNTER
                && counters.limits().direct()
                && counters.fastPath(groups.get(0).name(0)) != null;
    }

    private CounterBackend process() {
        return any(processes);
    }
}
