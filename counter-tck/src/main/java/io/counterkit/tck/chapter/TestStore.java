package io.counterkit.tck.chapter;

import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.report.TimeLimit;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** The store of one test, with its threads and the processes that are connected to it. */
record TestStore(BackendFixture fixture, ConcurrentTasks tasks, Deque<AutoCloseable> processes) {
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(60);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    TestStore(BackendFixture fixture) {
        this(fixture, new ConcurrentTasks(fixture), new ConcurrentLinkedDeque<>());
    }

    /** Connects a process, which is closed with the store. */
    <T extends AutoCloseable> T connect(Function<CounterBackend, T> process) {
        T connected = process.apply(fixture.connect());
        processes.add(connected);
        return connected;
    }

    /**
     * Repeats an assertion on the store's lists until it passes or an attempt that begins after the fixture's lag
     * fails. Runs on this thread, since the store may be bound to it.
     */
    void awaitLists(Runnable check) {
        long end = System.nanoTime() + fixture.lag().plusMillis(200).toNanos();
        while (true) {
            boolean isLast = System.nanoTime() - end > 0;
            try {
                check.run();
                return;
            } catch (AssertionError e) {
                if (isLast) {
                    throw e;
                }
                LockSupport.parkNanos(POLL_INTERVAL.toNanos());
            }
        }
    }

    /** Ends the tasks, closes the processes, the last one first, and then the store. */
    void close() throws Throwable {
        tasks.close();
        try {
            TimeLimit.run(
                    this::closeProcesses, fixture::enterThread, LONGEST_CLOSE, "the close of the backends of the test");
        } finally {
            fixture.enterThread();
            fixture.close();
        }
    }

    private void closeProcesses() throws Exception {
        for (AutoCloseable last = processes.pollLast(); last != null; last = processes.pollLast()) {
            last.close();
        }
    }
}
