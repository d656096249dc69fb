package io.counterkit.tck.chapter.store;

import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.report.TimeLimit;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The threads that a task starts, and those that they start. They belong to the thread group of the task's thread,
 * unless they were requested from a pool of threads that another test has started.
 */
final class StartedThreads {
    /** A group has fewer threads than this, unless processes leave many behind. */
    private static final int MOST = 10_000;

    private final ThreadGroup group = new ThreadGroup("started by a test of the kit");

    /** Runs a task on a thread of the group. Throws what the task throws. */
    void run(TimeLimit.Task task, Duration limit) throws Throwable {
        TimeLimit.run(group, task, () -> {}, limit, "opening and closing processes");
    }

    /** Waits until fewer than {@code most} threads are alive, at most {@code time}. Returns the names of all. */
    List<String> await(int most, Duration time) {
        ConcurrentTasks.await(() -> alive().size() < most, time);
        return alive();
    }

    private List<String> alive() {
        Thread[] threads = new Thread[MOST];
        int count = group.enumerate(threads);
        return Arrays.stream(threads, 0, count).map(Thread::getName).sorted().toList();
    }
}
