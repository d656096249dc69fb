package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Repeats a trial with a fault at the first call to the store, then at the second, and so on, until the trial makes no
 * further call.
 */
public final class Sweep {
    /** The largest number of calls to the store in one operation. */
    private static final int MAX_CALLS = 60;

    /** A busy machine may miss a short deadline, but hardly several in a row. */
    private static final int MAX_EXPIRED_RUNS = 20;

    private Sweep() {}

    /** A trial with a fault at one call. Returns whether that call was made. */
    public interface FaultyTrial {
        boolean run(String label, int call);
    }

    /** Repeats an operation, with new data for each run, which {@code ready} creates before the fault is injected. */
    public static <T> void run(
            FaultInjector faults, StoreFault fault, Supplier<T> ready, BiConsumer<T, Trial> operation) {
        run("one operation", (label, call) -> {
            T subject = ready.get();
            try (InjectedFault injected = faults.inject(fault, call)) {
                operation.accept(subject, new Trial(fault, call, injected));
                return injected.isHit();
            }
        });
    }

    /** Repeats a trial. */
    public static void run(String label, FaultyTrial trial) {
        int expiredRuns = 0;
        int call = 1;
        while (call <= MAX_CALLS) {
            if (trial.run(label + " at call " + call, call)) {
                call++;
            } else if (call > 1) {
                return;
            } else {
                assertThat(++expiredRuns) // a short deadline may expire before the first call
                        .as(
                                "%s: the number of runs in which no call to the store reached the fault injector of the"
                                        + " fixture, which has to intercept each call",
                                label)
                        .isLessThan(MAX_EXPIRED_RUNS);
            }
        }
        throw new AssertionError(label + " made more than " + MAX_CALLS + " calls to the store");
    }
}
