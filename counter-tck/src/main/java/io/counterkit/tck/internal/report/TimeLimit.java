package io.counterkit.tck.internal.report;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Fails a test that takes too long, even if it is blocked in a call that no interrupt ends, and reports the stacks of
 * the kit's threads. Each test runs on a thread of its own, which is abandoned in that case. After a few such tests the
 * remaining ones fail without running. The limit is the configuration parameter {@code counterkit.timeout}, in seconds.
 */
public final class TimeLimit implements InvocationInterceptor {
    /** The prefix of the names of the kit's threads. */
    public static final String THREADS = "counterkit-tck ";

    private static final Namespace NAMESPACE = Namespace.create(TimeLimit.class);
    private static final int DEFAULT_SECONDS = 300;
    private static final int MAX_BLOCKED = 3;
    private static final int FRAMES = 25;

    private final Runnable enterThread;

    /**
     * Creates a time limit.
     *
     * @param enterThread called first on the thread that runs a test
     */
    public TimeLimit(Runnable enterThread) {
        this.enterThread = enterThread;
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext,
            ExtensionContext context)
            throws Throwable {
        AtomicInteger blocked = context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent("blocked", none -> new AtomicInteger(), AtomicInteger.class);
        if (blocked.get() >= MAX_BLOCKED) {
            invocation.skip();
            throw new AssertionError("not run, because " + MAX_BLOCKED + " earlier tests did not end; fix those first");
        }
        Duration limit = Duration.ofSeconds(context.getConfigurationParameter("counterkit.timeout", Integer::valueOf)
                .orElse(DEFAULT_SECONDS));
        try {
            run(invocation::proceed, enterThread, limit, "the test");
        } catch (BlockedError e) {
            blocked.incrementAndGet();
            throw e;
        }
    }

    /** A task that may throw anything. */
    public interface Task {
        void run() throws Throwable;
    }

    /**
     * Runs a task on a thread of its own. Throws what the task throws, or an error that reports where the task is
     * blocked.
     */
    public static void run(Task task, Runnable enterThread, Duration limit, String what) throws Throwable {
        run(Thread.currentThread().getThreadGroup(), task, enterThread, limit, what);
    }

    /** Runs a task as {@link #run(Task, Runnable, Duration, String)} does, on a thread of {@code group}. */
    public static void run(ThreadGroup group, Task task, Runnable enterThread, Duration limit, String what)
            throws Throwable {
        Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(
                group,
                () -> {
                    try {
                        enterThread.run();
                        task.run();
                    } catch (Throwable failure) {
                        thrown[0] = failure;
                    }
                },
                THREADS + what);
        thread.setDaemon(true);
        thread.start();
        thread.join(limit.toMillis());
        if (thread.isAlive()) {
            BlockedError blocked = new BlockedError(what, limit, thread);
            thread.setName("abandoned by the kit: " + what);
            thread.interrupt();
            throw blocked;
        }
        if (thrown[0] != null) {
            throw thrown[0];
        }
    }

    /** Reports that a task did not end. Has the stack trace of the task's thread. */
    private static final class BlockedError extends AssertionError {
        private static final long serialVersionUID = 1L;

        BlockedError(String what, Duration limit, Thread thread) {
            super(what + " did not end within " + limit.toSeconds() + " seconds. " + blockedIn() + "\n" + dump());
            setStackTrace(Arrays.stream(thread.getStackTrace())
                    .map(BlockedError::plain)
                    .toArray(StackTraceElement[]::new));
        }

        /** Returns the frame without its class loader and module. */
        private static StackTraceElement plain(StackTraceElement frame) {
            return new StackTraceElement(
                    frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber());
        }

        /** Describes the calls outside the JDK and the kit in which the kit's threads are blocked. */
        private static String blockedIn() {
            String calls = Thread.getAllStackTraces().entrySet().stream()
                    .filter(BlockedError::isOfTheKit)
                    .flatMap(each -> Arrays.stream(each.getValue())
                            .filter(frame -> !isForeign(frame.getClassName()))
                            .limit(1)
                            .map(frame -> plain(frame).toString()))
                    .distinct()
                    .collect(Collectors.joining(", "));
            return calls.isEmpty()
                    ? "It waits for an answer that does not arrive; the threads of the kit:"
                    : "It is blocked in " + calls + "; the threads of the kit:";
        }

        private static boolean isForeign(String type) {
            return type.startsWith("java.")
                    || type.startsWith("jdk.")
                    || type.startsWith("io.counterkit.tck.")
                    || type.startsWith("org.junit.")
                    || type.startsWith("org.assertj.");
        }

        private static boolean isOfTheKit(Map.Entry<Thread, StackTraceElement[]> thread) {
            return thread.getKey().getName().startsWith(THREADS);
        }

        private static String dump() {
            return Thread.getAllStackTraces().entrySet().stream()
                    .filter(BlockedError::isOfTheKit)
                    .map(each -> each.getKey().getName() + "\n"
                            + Arrays.stream(each.getValue())
                                    .limit(FRAMES)
                                    .map(frame -> "    at " + plain(frame))
                                    .collect(Collectors.joining("\n")))
                    .collect(Collectors.joining("\n"));
        }
    }
}
