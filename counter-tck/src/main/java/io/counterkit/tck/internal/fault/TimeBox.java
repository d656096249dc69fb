package io.counterkit.tck.internal.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Runs trials until a time is over. A fast store runs all of them, a slow one a random selection: {@code
 * -Dcounterkit.box.seconds=…} sets the time.
 */
public final class TimeBox {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(Integer.getInteger("counterkit.box.seconds", 20));

    private final long start = System.nanoTime();

    /** Returns whether the time is over. */
    public boolean isOver() {
        return System.nanoTime() - start > NANOS;
    }

    /**
     * Runs the first trial of each group in any case, and then the others while there is time.
     *
     * @param groups the trials of each group, of which the random order selects the first
     */
    public static void run(List<List<Runnable>> groups, Random random) {
        TimeBox box = new TimeBox();
        List<Runnable> others = new ArrayList<>();
        for (List<Runnable> group : groups) {
            List<Runnable> shuffled = new ArrayList<>(group);
            Collections.shuffle(shuffled, random);
            shuffled.get(0).run();
            others.addAll(shuffled.subList(1, shuffled.size()));
        }
        Collections.shuffle(others, random);
        others.stream().takeWhile(each -> !box.isOver()).forEach(Runnable::run);
    }
}
