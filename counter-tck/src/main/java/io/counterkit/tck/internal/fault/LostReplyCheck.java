package io.counterkit.tck.internal.fault;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.tck.FaultInjector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Checks that a fixture loses only the reply of a call, and not the call. If it lost the call, no outcome would ever be
 * unknown, and every backend would pass the tests of lost replies.
 *
 * @param faults of the fixture
 * @param process connects a process with a deadline
 * @param absent returns a new name
 */
public record LostReplyCheck(FaultInjector faults, Function<Duration, Counters> process, Supplier<String> absent) {
    /** A slow store needs a longer deadline for the call that applies an add. */
    private static final Duration FIRST_DEADLINE = Duration.ofMillis(150);

    private static final int MAX_FACTOR = 32;

    /**
     * Checks that an add is applied if the reply of one of its calls is lost, and every later call fails. On a busy
     * machine the fault may hit a call that an earlier add left behind, so that several sweeps are necessary.
     */
    public void run(Counters observing) {
        int all = 0;
        for (int factor = 1; factor <= MAX_FACTOR; factor *= 2) {
            Counter counter = process.apply(FIRST_DEADLINE.multipliedBy(factor)).counter(absent.get());
            List<Boolean> lost = new ArrayList<>();
            Sweep.run("an add", (label, call) -> add(counter, call, lost));
            long others = lost.stream().filter(isLost -> !isLost).count();
            if (observing.counter(counter.name()).get() > others) {
                return;
            }
            all += lost.size() - (int) others;
        }
        throw new AssertionError(all + " adds failed after the reply of a call was lost, and none of them was applied:"
                + " the fixture has to let the store carry out a call before it loses the reply");
    }

    /** Adds 1, and records whether the add failed because of its faults; on a busy machine it may fail without them. */
    private boolean add(Counter counter, int call, List<Boolean> lost) {
        try (FaultPlan.InjectedFaults injected = FaultPlan.outages().get(0).inject(faults, call)) {
            boolean hasFailed = false;
            try {
                counter.increment();
            } catch (CounterException e) {
                hasFailed = true; // other rules check its outcome
            }
            boolean isHit = injected.isHit();
            lost.add(hasFailed && isHit);
            return isHit;
        }
    }
}
