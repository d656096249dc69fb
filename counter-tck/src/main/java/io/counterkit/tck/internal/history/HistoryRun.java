package io.counterkit.tck.internal.history;

import io.counterkit.Counters;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One random history of several processes on one object, with faults. The seed determines the operations and faults of
 * each process. Where processes take turns, it also determines the order in which operations begin.
 */
public final class HistoryRun {
    private static final int STEPS_PER_PROCESS = 12;
    private static final int MOST_FAULTS = 4;
    private static final int LONGEST_OUTAGE = 6;
    private static final int LAST_FAULTY_CALL = 60;
    private static final int LONGEST_HOLD = 5;
    private static final long POLL_INTERVAL = TimeUnit.MICROSECONDS.toNanos(200);

    /** How much longer than the deadline of a call a step may take. */
    private static final Duration PATIENCE = Duration.ofSeconds(80);

    private final Random random;
    private final List<Counters> processes;
    private final List<ExecutorService> threads;
    private final FaultInjector faults;
    private final Workload workload;
    private final boolean isInTurns;
    private final boolean isImpatient;
    private final Duration longestStep;
    private final List<Held> holds = new ArrayList<>();
    private final List<InjectedFault> injected = new ArrayList<>();

    /**
     * Creates a run.
     *
     * @param random makes all decisions
     * @param processes the processes
     * @param threads one thread or more for each process: process {@code p} of {@code n} has the threads {@code p},
     *     {@code p + n} and so on
     * @param isImpatient whether the callers give up before a held call ends; processes then take turns
     * @param deadline the longest deadline of a call
     */
    public HistoryRun(
            Random random,
            List<Counters> processes,
            List<ExecutorService> threads,
            FaultInjector faults,
            Workload workload,
            boolean isImpatient,
            Duration deadline) {
        this.random = random;
        this.processes = processes;
        this.threads = threads;
        this.faults = faults;
        this.workload = workload;
        this.isInTurns = isImpatient || random.nextBoolean();
        this.isImpatient = isImpatient;
        this.longestStep = deadline.plus(PATIENCE);
    }

    /** Runs all operations, ends the faults, and reads the object once more from each process. */
    public void run() throws Exception {
        List<Future<?>> steps = new ArrayList<>();
        try {
            injectFaults();
            int callers = random.nextBoolean() ? processes.size() : threads.size();
            for (int i = 0; i < STEPS_PER_PROCESS * processes.size(); i++) {
                int caller = random.nextInt(callers);
                int process = caller % processes.size();
                Random decisions = new Random(random.nextLong());
                Future<?> step =
                        threads.get(caller).submit(() -> workload.step(process, processes.get(process), decisions));
                steps.add(step);
                if (isInTurns) {
                    awaitTurn(step);
                    endHolds();
                }
            }
            for (Future<?> step : steps) {
                await(step, () -> {
                    endHolds();
                    return false;
                });
            }
        } finally {
            injected.forEach(InjectedFault::close);
        }
        for (int process = 0; process < processes.size(); process++) {
            int number = process;
            await(threads.get(process).submit(() -> workload.finish(number, processes.get(number))), () -> false);
        }
    }

    private void injectFaults() {
        int count = random.nextInt(MOST_FAULTS + 1);
        for (int i = 0; i < count; i++) {
            int call = 1 + random.nextInt(LAST_FAULTY_CALL);
            switch (isImpatient ? 3 : random.nextInt(4)) {
                case 0 -> inject(StoreFault.FAIL_BEFORE, call);
                case 1 -> inject(StoreFault.LOSE_REPLY, call);
                case 2 -> injectOutage(call);
                default -> holds.add(new Held(inject(StoreFault.HOLD, call), 1 + random.nextInt(LONGEST_HOLD)));
            }
        }
    }

    /** Loses the reply of one call and fails the calls after it. */
    private void injectOutage(int call) {
        inject(StoreFault.LOSE_REPLY, call);
        int length = 1 + random.nextInt(LONGEST_OUTAGE);
        for (int next = 1; next <= length; next++) {
            inject(StoreFault.FAIL_BEFORE, call + next);
        }
    }

    private InjectedFault inject(StoreFault fault, int call) {
        InjectedFault fresh = faults.inject(fault, call);
        injected.add(fresh);
        return fresh;
    }

    /** Waits until a step has answered or, if callers are patient, is held. */
    private void awaitTurn(Future<?> step) throws Exception {
        await(step, () -> !isImpatient && holds.stream().anyMatch(Held::isHolding));
    }

    /** Waits until a step has answered or {@code isOver} is true. */
    private void await(Future<?> step, BooleanSupplier isOver) throws Exception {
        long start = System.nanoTime();
        while (!step.isDone()) {
            if (isOver.getAsBoolean()) {
                return;
            }
            if (System.nanoTime() - start > longestStep.toNanos()) {
                throw new AssertionError("an operation did not end within " + longestStep.toSeconds()
                        + " s, although its deadline is shorter");
            }
            LockSupport.parkNanos(POLL_INTERVAL);
        }
        try {
            step.get();
        } catch (ExecutionException e) {
            throw new AssertionError(
                    "an operation failed with an exception that states no outcome: " + e.getCause(), e.getCause());
        }
    }

    private void endHolds() {
        holds.forEach(Held::check);
    }

    /** A held call that is released after some checks. */
    private static final class Held {
        private final InjectedFault fault;
        private int checksLeft;

        Held(InjectedFault fault, int checks) {
            this.fault = fault;
            this.checksLeft = checks;
        }

        boolean isHolding() {
            return checksLeft > 0 && fault.isHit();
        }

        void check() {
            if (isHolding() && --checksLeft == 0) {
                fault.close();
            }
        }
    }
}
