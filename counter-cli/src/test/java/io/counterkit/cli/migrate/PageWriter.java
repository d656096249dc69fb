package io.counterkit.cli.migrate;

import io.counterkit.Counters;
import io.counterkit.migration.fixture.MigrationWriter;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** A process of the application of docs/migration.md: appends to 'orders' and adds to 'views' until it is stopped. */
final class PageWriter {
    private final List<Long> numbers = new ArrayList<>();
    private final AtomicInteger rounds = new AtomicInteger();
    private final Thread thread = new Thread(this::work, "page-writer");
    private volatile Counters deployed;
    private volatile boolean isStopped;

    PageWriter(CounterBackend first) {
        deployed = MigrationWriter.patient(first);
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    private void work() {
        while (!isStopped) {
            Counters counters = deployed;
            numbers.add(counters.sequence("orders")
                    .append(Map.of("customer", "c-" + rounds))
                    .number());
            counters.counter("views").increment();
            rounds.incrementAndGet();
        }
    }

    /** Deploys another configuration, and waits until the application uses it. */
    void deploy(CounterBackend next) {
        deployed = MigrationWriter.patient(next);
        awaitChanges();
    }

    /** Waits until the application has changed each of its names after this call. */
    void awaitChanges() {
        int seen = rounds.get();
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> rounds.get() >= seen + 2 || !thread.isAlive());
    }

    /** Returns the numbers that the application was given, as many as it added views. */
    List<Long> stop() throws InterruptedException {
        isStopped = true;
        thread.join();
        return numbers;
    }
}
