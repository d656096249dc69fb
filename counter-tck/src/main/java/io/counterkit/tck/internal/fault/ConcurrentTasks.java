package io.counterkit.tck.internal.fault;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.internal.report.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Runs tasks on threads of their own, which start at the same moment. */
public final class ConcurrentTasks implements AutoCloseable {
    /**
     * How long a test waits for an event that takes a moment, except on a very busy machine. {@code
     * -Dcounterkit.patience=…} sets the seconds.
     */
    public static final Duration PATIENCE = Duration.ofSeconds(Long.getLong("counterkit.patience", 30));

    /** A deadline that a busy machine meets, and that is short enough for a test to exceed it on purpose. */
    public static final Duration SHORT_DEADLINE = Duration.ofSeconds(2);

    private static final long SHORTEST_PAUSE = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

    private final BackendFixture fixture;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, TimeLimit.THREADS + "task");
        thread.setDaemon(true);
        return thread;
    });

    public ConcurrentTasks(BackendFixture fixture) {
        this.fixture = fixture;
    }

    /** Returns the injector of faults into the calls of the tasks. */
    public FaultInjector faults() {
        return fixture.faults();
    }

    /** A task without a result. */
    public interface Task {
        void run() throws Exception;
    }

    /** Starts one task. */
    public Future<?> start(Task task) {
        return start(() -> {
            task.run();
            return true;
        });
    }

    /** Starts one task. */
    public <T> Future<T> start(Callable<T> task) {
        return threads.submit(() -> {
            fixture.enterThread();
            return task.call();
        });
    }

    /** Runs all tasks concurrently and returns their results, or throws the first failure. */
    private <T> List<T> callAtOnce(List<Callable<T>> tasks) throws Exception {
        CyclicBarrier ready = new CyclicBarrier(tasks.size());
        List<Future<T>> started = new ArrayList<>();
        for (Callable<T> task : tasks) {
            started.add(start(() -> {
                ready.await(60, TimeUnit.SECONDS);
                return task.call();
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> task : started) {
            results.add(result(task));
        }
        return results;
    }

    /** Runs {@code count} tasks concurrently; each receives its index. Throws the first failure. */
    public void runAtOnce(int count, NumberedTask task) throws Exception {
        callAtOnce(count, number -> {
            task.run(number);
            return true;
        });
    }

    /** Runs {@code count} tasks as {@link #runAtOnce} does, and returns their results. */
    public <T> List<T> callAtOnce(int count, NumberedCall<T> task) throws Exception {
        List<Callable<T>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            tasks.add(() -> task.call(number));
        }
        return callAtOnce(tasks);
    }

    /** Holds one call of an operation: call 1 is the next one. */
    public Trial hold(int call) {
        return new Trial(StoreFault.HOLD, call, fixture.faults().inject(StoreFault.HOLD, call));
    }

    /** Repeats tasks, each on a thread of its own, while {@code meanwhile} runs. Throws the first failure. */
    public void repeatWhile(List<Task> repeated, Task meanwhile) throws Exception {
        AtomicBoolean isRunning = new AtomicBoolean(true);
        List<Future<?>> started = new ArrayList<>();
        for (Task task : repeated) {
            started.add(start(() -> {
                while (isRunning.get()) {
                    task.run();
                }
            }));
        }
        try {
            meanwhile.run();
        } finally {
            isRunning.set(false);
        }
        for (Future<?> task : started) {
            result(task);
        }
    }

    /**
     * Holds one call of {@code task} while {@code other} runs: call 1 is the next one. Ends the hold if {@code other}
     * does not return within half a second, since it may wait for a lock of {@code task}.
     */
    public <A, B> Overtaken<A, B> overtake(int call, Callable<A> task, Callable<B> other) throws Exception {
        return overtake(call, task, other, new OvertakingLimit());
    }

    /** The same with a limit that adapts to how long {@code other} takes. */
    public <A, B> Overtaken<A, B> overtake(int call, Callable<A> task, Callable<B> other, OvertakingLimit limit)
            throws Exception {
        Future<A> held;
        Future<B> overtaking;
        boolean isHeld;
        boolean isOvertaken;
        try (Trial trial = hold(call)) {
            held = start(task);
            isHeld = trial.awaitHit(held::isDone);
            overtaking = start(other);
            long start = System.nanoTime();
            await(overtaking::isDone, limit.nanos());
            isOvertaken = isHeld && overtaking.isDone();
            if (isOvertaken) {
                limit.adapt(System.nanoTime() - start);
            }
        }
        return new Overtaken<>(isHeld, isOvertaken, result(held), result(overtaking));
    }

    public static <T> T result(Future<T> task) throws Exception {
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception failure) {
                throw failure;
            }
            throw new AssertionError(e.getCause());
        }
    }

    /** Waits until {@code condition} is true, at most half a second. */
    public static void awaitBriefly(BooleanSupplier condition) {
        await(condition, TimeUnit.MILLISECONDS.toNanos(500));
    }

    /** Waits until {@code condition} is true, at most {@code time}. */
    public static void await(BooleanSupplier condition, Duration time) {
        await(condition, time.toNanos());
    }

    /** Waits until a task whose call is held has returned, at most 20 ms: the backend may block its caller. */
    public static void awaitReturn(Future<?> task) {
        await(task::isDone, TimeUnit.MILLISECONDS.toNanos(20));
    }

    private static void await(BooleanSupplier condition, long nanos) {
        long end = System.nanoTime() + nanos;
        long pause = SHORTEST_PAUSE;
        while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /**
     * The results of a task one of whose calls was held, and of the task that ran meanwhile.
     *
     * @param isHeld whether there was such a call
     * @param isOvertaken whether the other task returned before the held call was carried out
     */
    public record Overtaken<A, B>(boolean isHeld, boolean isOvertaken, A result, B other) {}

    /** A task that receives its index. */
    public interface NumberedTask {
        void run(int number) throws Exception;
    }

    /** A task that receives its index and has a result. */
    public interface NumberedCall<T> {
        T call(int number) throws Exception;
    }
}
