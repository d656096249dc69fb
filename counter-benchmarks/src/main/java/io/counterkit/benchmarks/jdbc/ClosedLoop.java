package io.counterkit.benchmarks.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that each repeat one operation until the time is over. */
final class ClosedLoop {
    private ClosedLoop() {}

    /** The operation that a thread repeats. */
    interface Operation extends AutoCloseable {
        void run() throws Exception;

        @Override
        default void close() throws SQLException {}
    }

    /** Creates the operation of each thread. */
    interface Operations {
        Operation create() throws Exception;
    }

    /**
     * The result of a run.
     *
     * @param perSecond operations a second
     * @param median the median of their times, in milliseconds
     */
    record Rate(double perSecond, double median) {}

    static Rate run(int threads, double seconds, Operations operations) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            long end = System.nanoTime() + (long) (seconds * 1e9);
            List<Future<long[]>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(executor.submit(() -> repeat(operations, end)));
            }
            List<long[]> times = new ArrayList<>();
            for (Future<long[]> thread : running) {
                times.add(thread.get());
            }
            long[] all = times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
            return new Rate(all.length / seconds, all.length == 0 ? 0 : all[all.length / 2] / 1e6);
        } finally {
            executor.shutdownNow();
        }
    }

    private static long[] repeat(Operations operations, long end) throws Exception {
        long[] times = new long[1024];
        int count = 0;
        try (Operation operation = operations.create()) {
            for (long begin = System.nanoTime(); begin < end; ) {
                operation.run();
                long now = System.nanoTime();
                if (count == times.length) {
                    times = Arrays.copyOf(times, 2 * count);
                }
                times[count++] = now - begin;
                begin = now;
            }
        }
        return Arrays.copyOf(times, count);
    }
}
