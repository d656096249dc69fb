package io.counterkit.tck.internal.fault;

import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Faults of consecutive calls to the store.
 *
 * @param label describes the faults in messages
 * @param faults the faults of the first of these calls, the second, and so on
 */
public record FaultPlan(String label, List<StoreFault> faults) {
    /** The calls of an outage, more than an operation makes within its deadline. */
    private static final int OUTAGE = 300;

    /** Returns a plan for each fault that ends a call. */
    public static List<FaultPlan> single() {
        return Stream.of(StoreFault.FAIL_BEFORE, StoreFault.LOSE_REPLY)
                .map(fault -> new FaultPlan(fault.toString(), List.of(fault)))
                .toList();
    }

    /** Returns a plan for each pair of faults that end a call. */
    public static List<FaultPlan> pairs() {
        List<FaultPlan> pairs = new ArrayList<>();
        for (FaultPlan first : single()) {
            for (FaultPlan second : single()) {
                pairs.add(new FaultPlan(
                        first.label + " and then " + second.label, List.of(first.faults.get(0), second.faults.get(0))));
            }
        }
        return pairs;
    }

    /** Returns a plan for each fault that ends a call, and for each pair of them. */
    public static List<FaultPlan> singleAndPairs() {
        return Stream.concat(single().stream(), pairs().stream()).toList();
    }

    /** Returns outages: after a first fault, each later call fails or loses its reply. */
    public static List<FaultPlan> outages() {
        return List.of(
                outage(StoreFault.LOSE_REPLY, StoreFault.FAIL_BEFORE, "every later call failing"),
                outage(StoreFault.LOSE_REPLY, StoreFault.LOSE_REPLY, "every later reply lost"));
    }

    /** Returns an outage in which no call reaches the store. */
    public static FaultPlan failing() {
        return outage(StoreFault.FAIL_BEFORE, StoreFault.FAIL_BEFORE, "every later call failing");
    }

    private static FaultPlan outage(StoreFault first, StoreFault then, String label) {
        List<StoreFault> faults = new ArrayList<>(Collections.nCopies(OUTAGE, then));
        faults.set(0, first);
        return new FaultPlan(first + " with " + label, List.copyOf(faults));
    }

    /** Returns the plan of this number of held calls. */
    public static FaultPlan held(int calls) {
        return new FaultPlan(StoreFault.HOLD.toString(), Collections.nCopies(calls, StoreFault.HOLD));
    }

    /** Injects the faults, the first one into call {@code call}: call 1 is the next one. */
    public InjectedFaults inject(FaultInjector injector, int call) {
        List<InjectedFault> injected = new ArrayList<>();
        for (int i = 0; i < faults.size(); i++) {
            injected.add(injector.inject(faults.get(i), call + i));
        }
        return new InjectedFaults(injected);
    }

    /**
     * The injected faults of a plan.
     *
     * @param faults in the order of the calls
     */
    public record InjectedFaults(List<InjectedFault> faults) implements AutoCloseable {
        /** Returns whether the first fault has hit its call. */
        public boolean isHit() {
            return faults.get(0).isHit();
        }

        /** Returns whether the last fault has hit its call. */
        public boolean isOver() {
            return faults.get(faults.size() - 1).isHit();
        }

        /**
         * Ends all faults if the first one has hit no call yet, so that they hit no call of what checks the operation.
         * Returns whether it has hit one.
         */
        public boolean endUnlessHit() {
            boolean isHit = isHit();
            if (!isHit) {
                close();
            }
            return isHit;
        }

        /** Ends all faults. */
        @Override
        public void close() {
            faults.forEach(InjectedFault::close);
        }
    }
}
