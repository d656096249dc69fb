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
 * Checks that a fixture loses replies only, and not the calls. If it loses the calls, no change is ever in doubt, and
 * every backend keeps the rules about lost replies.
 *
 * @param faults of the fixture
 * @param process connects a process with a deadline
 * @param absent returns a new name
 */
public record LostReplyCheck(FaultInjector faults, Function<Duration, Counters> process, Supplier<String> absent) {
    /** A slow store needs the longer ones for the call that applies an add. */
    private static final List<Duration> DEADLINES =
            List.of(Duration.ofMillis(150), Duration.ofSeconds(1), Duration.ofSeconds(8));

    /** Checks that an add is applied if the reply of one of its calls is lost, and every later call fails. */
    public void run(Counters observing) {
        List<String> failed = new ArrayList<>();
        for (Duration deadline : DEADLINES) {
            Counters acting = process.apply(deadline);
            Sweep.run("an add", (label, call) -> add(acting.counter(absent.get()), call, failed));
            if (failed.stream().anyMatch(name -> observing.counter(name).get() > 0)) {
                return;
            }
        }
        throw new AssertionError(
                "none of " + failed.size() + " adds was applied whose calls failed after the first of them, the second"
                        + " and so on had lost its reply: the fixture has to let the store carry out a call before"
                        + " it loses the reply");
    }

    private boolean add(Counter counter, int call, List<String> failed) {
        try (FaultPlan.InjectedFaults injected = FaultPlan.outages().get(0).inject(faults, call)) {
            try {
                counter.increment();
            } catch (CounterException e) {
                failed.add(counter.name()); // other rules check its outcome
            }
            return injected.isHit();
        }
    }
}
