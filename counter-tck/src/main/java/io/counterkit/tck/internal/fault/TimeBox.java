package io.counterkit.tck.internal.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs the trials of a test until a time is over, and reports how many trials it ran. A fast store runs all of them, a
 * slow one a random selection. {@code -Dcounterkit.box.seconds=…} sets the time. The number is the test's report entry
 * {@code counterkit.trials}, "5 of 100" for example.
 */
public final class TimeBox implements BeforeEachCallback {
    private static final System.Logger LOG = System.getLogger(TimeBox.class.getName());

    private static final int DEFAULT_SECONDS = 20;

    /** A box with fewer seconds also makes the sizes small that a slow store has to bear. */
    private static final int SECONDS_FOR_ALL_SIZES = 3;

    /** How long the fastest of a few changes takes in a fast store. */
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(2);

    /** How long it takes in a store that bears all sizes in a brief box. */
    private static final long AT_ONCE = TimeUnit.MICROSECONDS.toNanos(300);

    private @Nullable ExtensionContext test;

    @Override
    public void beforeEach(ExtensionContext context) {
        test = context;
    }

    /** A trial, which may throw anything. */
    public interface TimedTrial {
        void run() throws Exception;
    }

    /**
     * Runs the first trial of each group in any case, and then the others while there is time.
     *
     * @param groups the trials of each group, of which the random order selects the first
     */
    public void run(List<List<TimedTrial>> groups, Random random) throws Exception {
        List<TimedTrial> trials = new ArrayList<>();
        List<TimedTrial> others = new ArrayList<>();
        for (List<TimedTrial> group : groups) {
            List<TimedTrial> shuffled = new ArrayList<>(group);
            Collections.shuffle(shuffled, random);
            trials.add(shuffled.get(0));
            others.addAll(shuffled.subList(1, shuffled.size()));
        }
        Collections.shuffle(others, random);
        trials.addAll(others);
        run(trials, groups.size());
    }

    /** Returns {@code few} if the box is too brief for many on a slow store, else {@code many}. */
    public int size(int many, int few, Runnable change) {
        return isBrief() && !isFast(change, AT_ONCE) ? few : many;
    }

    /** Returns whether a store is fast. Makes a change several times. */
    public static boolean isFast(Runnable change) {
        return isFast(change, SOON);
    }

    private static boolean isFast(Runnable change, long nanos) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10 && least > nanos; i++) {
            long start = System.nanoTime();
            change.run();
            least = Math.min(least, System.nanoTime() - start);
        }
        return least <= nanos;
    }

    private boolean isBrief() {
        return seconds() < SECONDS_FOR_ALL_SIZES;
    }

    /** As {@link #run(List, int)}, in a quarter of the time. */
    public void runBriefly(List<TimedTrial> trials, int least) throws Exception {
        run(trials, least, 4);
    }

    /** Runs the first {@code least} trials in any case, and then the others in their order while there is time. */
    public void run(List<TimedTrial> trials, int least) throws Exception {
        run(trials, least, 1);
    }

    private void run(List<TimedTrial> trials, int least, int part) throws Exception {
        Duration time = Duration.ofSeconds(seconds()).dividedBy(part);
        long start = System.nanoTime();
        int done = 0;
        while (done < trials.size() && (done < least || System.nanoTime() - start < time.toNanos())) {
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
                    "{0}: ran {1} of {2} trials in its {3} ms; -Dcounterkit.box.seconds=... gives it more time",
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
