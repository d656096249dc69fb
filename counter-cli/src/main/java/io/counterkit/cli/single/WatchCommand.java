package io.counterkit.cli.single;

import io.counterkit.Watch;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code counter watch}. */
public final class WatchCommand {
    private WatchCommand() {}

    /** {@code counter watch}. */
    @Command(name = "watch")
    public static int watch(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--every", paramLabel = "TIME", defaultValue = "1s") Duration every,
            @Option(names = "--for", paramLabel = "TIME") @Nullable Duration length) {
        Limits.checkName("counter name", name);
        Limits.checkDuration("--every", every);
        Waiting.checkLength(length);
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
            new Waiting(interrupt, length).await(unread, () -> false);
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
}
