package io.counterkit.cli.single;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Reading;
import io.counterkit.Watch;
import io.counterkit.cli.console.DurationConverter;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Json;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code counter watch}. */
@Command(
        name = "watch",
        header = "Prints the total of a counter, and then each change, until Ctrl-C.",
        description = {
            "",
            "Each total stands in a line of its own, with how old it may be; with --json each is a line of JSON. Of"
                    + " changes that follow one another faster than --every, the newest is printed. When the counter"
                    + " cannot be read, that is told on the error stream, and the watch goes on."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the time given by --for is over",
            "1:it is over, and the counter could not be read at all",
            "2:the command was not understood",
            "130:interrupted"
        })
public final class WatchCommand implements Callable<Integer> {
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(20);

    private final Interrupt interrupt;

    @Mixin
    private final SingleCall call;

    @Parameters(paramLabel = "NAME", description = "The counter.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Print at most once in so long, like 500ms, 10s, 5m or 2h. Default: 1s.")
    private Duration every = Duration.ofSeconds(1);

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "End after so long. Default: go on until Ctrl-C.")
    private @Nullable Duration length;

    /** The command. */
    public WatchCommand(SingleCall call, Interrupt interrupt) {
        this.call = call;
        this.interrupt = interrupt;
    }

    @Override
    public Integer call() {
        return call.read(() -> {
            Limits.checkName("counter name", name);
            if (every.isZero() || every.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("--every " + DurationConverter.text(every) + ": use 1ms to 24h");
            }
            if (length != null && length.isZero()) {
                throw new IllegalArgumentException("--for " + DurationConverter.text(length) + ": use 1ms or more");
            }
            return this::watch;
        });
    }

    private void watch(Counters counters, Reply reply) {
        interrupt.finishing(() -> null);
        AtomicBoolean isShown = new AtomicBoolean();
        CountDownLatch unread = new CountDownLatch(1);
        Watch watch = counters.counter(name)
                .watch(
                        every,
                        reading -> {
                            isShown.set(true);
                            reply.item(line(reading), json(reading));
                            if (reply.isUnread()) {
                                unread.countDown();
                            }
                        },
                        failure -> reply.note(told(failure)));
        await(unread);
        watch.close();
        if (interrupt.isRequested()) {
            reply.exitWith(Interrupt.EXIT_CODE);
        } else if (!isShown.get()) {
            reply.note("'" + name + "' could not be read in that time");
            reply.exitWith(SingleCall.FAILED);
        }
        reply.endItems();
    }

    /** Until nobody reads any more, the user has enough, or the time is over. */
    private void await(CountDownLatch unread) {
        long start = System.nanoTime();
        try {
            while (!interrupt.isRequested()
                    && (length == null || System.nanoTime() - start < length.toNanos())
                    && !unread.await(TICK, TimeUnit.NANOSECONDS)) {
                // An interrupt is not told but asked for.
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String line(Reading reading) {
        return String.format(
                Locale.ROOT,
                "%20d  at most %7s old",
                reading.value(),
                Figures.time(reading.staleness().toNanos()));
    }

    private Json json(Reading reading) {
        return GetCommand.json(name, reading);
    }

    private static String told(CounterException failure) {
        return failure.getMessage() + "; still watching";
    }
}
