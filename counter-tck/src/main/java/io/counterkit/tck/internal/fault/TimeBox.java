package io.counterkit.tck.internal.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs the trials of a test until its time has passed, and reports how many trials it ran. On a fast store all of them
 * run, on a slow one a random selection, some of which run in any case. {@code -Dcounterkit.box.seconds=…} sets the
 * time. The number is the test's report entry {@code counterkit.trials}, "5 of 100" for example.
 *
 * <p>With less than three seconds, the run of a slow store is reduced: one trial runs in any case, and sizes are small.
 */
public final class TimeBox implements BeforeEachCallback {
    private static final System.Logger LOG = System.getLogger(TimeBox.class.getName());

    private static final int DEFAULT_SECONDS = 20;

    /** With fewer seconds, the run of a slow store is reduced. */
    private static final int SECONDS_OF_A_FULL_RUN = 3;

    /** The longest time that the fastest of a few changes takes in a fast store. */
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(2);

    /** The longest time that it takes in a store whose run is never reduced. */
    private static final long AT_ONCE = TimeUnit.MICROSECONDS.toNanos(300);

    /** How long the change is repeated until it is fast: the first calls in a new JVM are slow. */
    private static final long WARM = TimeUnit.MILLISECONDS.toNanos(50);

    private final Runnable change;
    private @Nullable ExtensionContext test;
    private @Nullable Boolean isReduced;

    /** Creates the box of a test. Makes {@code change} to learn how fast the store is. */
    public TimeBox(Runnable change) {
        this.change = change;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        test = context;
    }

    /** A trial, which may throw anything. */
    public interface TimedTrial {
        void run() throws Exception;
    }

    /**
     * Runs the first trial of each group in any case, unless the run is reduced, and then the others while there is
     * time.
     *
     * @param groups the trials of each group, of which the random order selects the first
     */
    public void run(List<List<TimedTrial>> groups, Random random) throws Exception {
        List<TimedTrial> trials = new ArrayList<>();
        List<TimedTrial> others = new ArrayList<>();
        for (List<TimedTrial> group : groups) {
            List<TimedTrial> shuffled = shuffled(group, random);
            trials.add(shuffled.get(0));
            others.addAll(shuffled.subList(1, shuffled.size()));
        }
        Collections.shuffle(trials, random);
        Collections.shuffle(others, random);
        trials.addAll(others);
        run(trials, groups.size());
    }

    /** Returns {@code few} in a reduced run, else {@code many}. */
    public int size(int many, int few) {
        return isReduced() ? few : many;
    }

    /** Returns whether the store is fast. Makes the change several times. */
    public boolean isFast() {
        return isFast(SOON);
    }

    private boolean isFast(long nanos) {
        long begin = System.nanoTime();
        long least = Long.MAX_VALUE;
        for (int i = 0; least > nanos && (i < 10 || System.nanoTime() - begin < WARM); i++) {
            long start = System.nanoTime();
            change.run();
            least = Math.min(least, System.nanoTime() - start);
        }
        return least <= nanos;
    }

    /** Returns the first and {@code few} random others in a reduced run, else all. */
    public <T> List<T> sample(List<T> all, int few, Random random) {
        if (all.size() <= few + 1 || !isReduced()) {
            return all;
        }
        List<T> others = shuffled(all.subList(1, all.size()), random);
        return Stream.concat(Stream.of(all.get(0)), others.stream().limit(few)).toList();
    }

    private static <T> List<T> shuffled(List<T> all, Random random) {
        List<T> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    /** Returns whether the box is too brief for all that a slow store has to do. Measures the store once. */
    private boolean isReduced() {
        if (isReduced == null) {
            isReduced = seconds() < SECONDS_OF_A_FULL_RUN && !isFast(AT_ONCE);
        }
        return isReduced;
    }

    /** As {@link #run(List, int)}, in a quarter of the time. */
    public void runBriefly(List<TimedTrial> trials, int least) throws Exception {
        runPart(4, trials, least);
    }

    /** As {@link #run(List, int, Random)}, in a quarter of the time. */
    public void runBriefly(List<TimedTrial> trials, int least, Random random) throws Exception {
        runBriefly(shuffled(trials, random), least);
    }

    /**
     * Runs the first {@code least} trials in any case, in a reduced run the first one only, and then the others in
     * their order while there is time.
     */
    public void run(List<TimedTrial> trials, int least) throws Exception {
        runPart(1, trials, least);
    }

    /** As {@link #run(List, int)}, in a random order. */
    public void run(List<TimedTrial> trials, int least, Random random) throws Exception {
        run(shuffled(trials, random), least);
    }

    private void runPart(int part, List<TimedTrial> trials, int least) throws Exception {
        Duration time = Duration.ofSeconds(seconds()).dividedBy(part);
        int certain = size(least, 1);
        long start = System.nanoTime();
        int done = 0;
        while (done < trials.size() && (done < certain || System.nanoTime() - start < time.toNanos())) {
            trials.get(done).run();
            done++;
        }
        report(test(), done, trials.size(), time);
    }

    private int seconds() {
        return test().getConfigurationParameter("counterkit.box.seconds", Integer::valueOf)
                .orElse(DEFAULT_SECONDS);
    }

    private ExtensionContext test() {
        return Objects.requireNonNull(test, "no test runs");
    }

    /** Publishes a report entry. Also logs a line if trials were left out, since not every build shows entries. */
    private static void report(ExtensionContext context, int done, int all, Duration time) {
        context.publishReportEntry("counterkit.trials", done + " of " + all);
        if (done < all) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "{0}: ran {1} of {2} trials in {3} ms; set -Dcounterkit.box.seconds=... for more time",
                    nameOf(context),
                    Integer.toString(done),
                    Integer.toString(all),
                    Long.toString(time.toMillis()));
        }
    }

    /** Returns the name of the author's class and of the test. */
    private static String nameOf(ExtensionContext context) {
        Class<?> nested = context.getRequiredTestClass();
        Class<?> contract =
                context.getEnclosingTestClasses().stream().findFirst().orElse(nested);
        return contract.getSimpleName() + "." + context.getRequiredTestMethod().getName();
    }
}
