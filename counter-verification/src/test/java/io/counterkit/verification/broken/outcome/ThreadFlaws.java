package io.counterkit.verification.broken.outcome;

import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.verification.broken.flaw.Flaw;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Chapter 12, continued: threads that outlive their process. */
public final class ThreadFlaws {
    private ThreadFlaws() {}

    public static List<Flaw> all() {
        return List.of(Flaw.that("keeps the thread of its timers when it is closed", "12.8")
                .backend(KeepsAThread::new));
    }

    private static final class KeepsAThread extends ForwardingCounterBackend {
        KeepsAThread(CounterBackend backend) {
            super(backend);
            ExecutorService timers = Executors.newFixedThreadPool(1, task -> {
                Thread thread = new Thread(task, "timers");
                thread.setDaemon(true);
                return thread;
            });
            Future<?> unused = timers.submit(() -> {});
        }
    }
}
