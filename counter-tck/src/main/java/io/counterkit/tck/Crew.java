package io.counterkit.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads that start their work at the same moment. */
final class Crew implements AutoCloseable {
    private final BackendFixture fixture;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    Crew(BackendFixture fixture) {
        this.fixture = fixture;
    }

    /** Starts one task. */
    <T> Future<T> start(Callable<T> task) {
        return threads.submit(() -> {
            fixture.enterThread();
            return task.call();
        });
    }

    /** Runs all tasks at once and returns their results, or throws what the first one threw. */
    <T> List<T> runAtOnce(List<Callable<T>> tasks) throws Exception {
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

    /** Runs {@code count} tasks at once; each is told which one it is. */
    <T> List<T> runAtOnce(int count, NumberedTask<T> task) throws Exception {
        List<Callable<T>> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            tasks.add(() -> task.call(number));
        }
        return runAtOnce(tasks);
    }

    static <T> T result(Future<T> task) throws Exception {
        try {
            return task.get(100, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception failure) {
                throw failure;
            }
            throw new AssertionError(e.getCause());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** A task that knows which one of several it is. */
    interface NumberedTask<T> {
        T call(int number) throws Exception;
    }
}
