package io.counterkit.cli.single;

import io.counterkit.Watch;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code counter watch}. */
public final class WatchCommand {
    private static final long TICK_MILLIS = 20;

    private WatchCommand() {}

    /** {@code counter watch}. */
    @Command(name = "watch")
    public static int watch(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--every", paramLabel = "TIME", defaultValue = "1s") Duration every,
            @Option(names = "--for", paramLabel = "TIME") @Nullable Duration length) {
        Limits.checkName("counter name", name);
        if (every.isZero() || every.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("--every " + Durations.inWords(every) + ": use 1 ms to 24 h");
        }
        if (length != null && length.isZero()) {
            throw new IllegalArgumentException("--for " + Durations.inWords(length) + ": use 1 ms or more");
        }
        return SingleCall.readLive(context, (counters, open, reply) -> {
            Interrupt interrupt = context.interrupt();
            interrupt.finishing(() -> null);
            AtomicBoolean isShown = new AtomicBoolean();
            CountDownLatch unread = new CountDownLatch(1);
            Watch watch = counters.counter(name)
                    .watch(
                            every,
                            reading -> {
                                isShown.set(true);
                                reply.item(CounterCommands.aged(reading), CounterCommands.json(name, reading));
                                if (reply.isUnread()) {
                                    unread.countDown();
                                }
                            },
                            failure -> reply.note(failure.getMessage() + "; still watching"));
            await(unread, interrupt, length);
            watch.close();
            if (interrupt.isRequested()) {
                reply.exitWith(Interrupt.EXIT_CODE);
            } else if (!isShown.get()) {
                reply.note("'" + name + "' could not be read in that time");
                reply.exitWith(Failures.FAILED);
            }
            reply.endItems();
        });
    }

    /** Waits until the reader of the output is gone, the user interrupts, or the time is over. */
    private static void await(CountDownLatch unread, Interrupt interrupt, @Nullable Duration length) {
        long start = System.nanoTime();
        try {
            while (!interrupt.isRequested()
                    && (length == null || System.nanoTime() - start < length.toNanos())
                    && !unread.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
                // An interrupt is polled.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
