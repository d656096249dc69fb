package io.counterkit.datastore;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads with an environment. */
public final class Threads {
    private Threads() {}

    /** One of several tasks. */
    public interface NumberedTask {
        void run(int number) throws Exception;
    }

    /** Runs all tasks and waits for them. Throws the exception of the first that failed. */
    public static void runAll(LocalStore store, int count, NumberedTask task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                running.add(threads.submit(() -> {
                    store.enterThread();
                    task.run(number);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get(100, TimeUnit.SECONDS);
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        } finally {
            threads.shutdownNow();
        }
    }
}
