package io.counterkit.cli.single;

import static io.counterkit.cli.console.Arguments.check;
import static io.counterkit.cli.single.SingleCall.read;

import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.Sequence;
import io.counterkit.Watch;
import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Json;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Reasons;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that print changes until the user interrupts them. */
public final class LiveCommands {
    private LiveCommands() {}

    @Command(name = "watch")
    public static int watch(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--every", paramLabel = "TIME", defaultValue = "1s") Duration every,
            @Option(names = "--for", paramLabel = "TIME") @Nullable Duration length) {
        Limits.checkName("counter name", name);
        Limits.checkDuration("--every", every);
        Waiting.checkLength(length);
        return read(context, Opening.DURABLE, (counters, open, reply) -> {
            Interrupt interrupt = context.interrupt();
            interrupt.finishing(() -> null);
            AtomicBoolean isShown = new AtomicBoolean();
            Watch watch = counters.counter(name)
                    .watch(
                            every,
                            reading -> {
                                isShown.set(true);
                                reply.item(CounterCommands.aged(reading), CounterCommands.json(name, reading));
                            },
                            failure -> reply.note(failure.getMessage() + "; still watching"));
            new Waiting(interrupt, length).await(reply::isUnread);
            watch.close();
            if (!isShown.get() && !interrupt.isRequested()) {
                reply.note("'" + name + "' could not be read in that time");
                reply.exitWith(Failures.FAILED);
            }
        });
    }

    @Command(name = "follow")
    public static int follow(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "SEQUENCE") String name,
            @Option(names = "--from", paramLabel = "N") @Nullable Long from,
            @Option(names = "--until", paramLabel = "N") @Nullable Long until,
            @Option(names = "--checkpoint", paramLabel = "COUNTER") @Nullable String checkpoint,
            @Option(names = "--every", paramLabel = "TIME", defaultValue = "1s") Duration every) {
        Limits.checkName("sequence name", name);
        long first = from == null ? 1 : from;
        check(first >= 1, "--from " + from + ": numbers start at 1");
        check(until == null || until >= first, "--until " + until + ": use " + first + " or more");
        if (checkpoint != null) {
            Limits.checkName("counter name", checkpoint);
            check(
                    from == null,
                    "--from cannot be combined with --checkpoint, whose total sets the start: to start a new checkpoint"
                            + " elsewhere, first add the number before the start to its counter");
        }
        Limits.checkDuration("--every", every);
        return read(context, Opening.DURABLE, (counters, open, reply) -> {
            context.interrupt().finishing(() -> null);
            new Following(reply, name, until == null ? Long.MAX_VALUE : until)
                    .run(counters, first, checkpoint, every, context.interrupt());
        });
    }

    /** One run of {@code follow}. An entry that is not printed is not processed: the checkpoint stays before it. */
    private static final class Following {
        private final Reply reply;
        private final String name;
        private final long until;
        private volatile boolean isEnded;

        Following(Reply reply, String name, long until) {
            this.reply = reply;
            this.name = name;
            this.until = until;
        }

        void run(Counters counters, long from, @Nullable String checkpoint, Duration every, Interrupt interrupt) {
            FollowOptions options = FollowOptions.defaults().withCadence(every).withFailures(this::report);
            Sequence sequence = counters.sequence(name);
            try (Follower follower = checkpoint == null
                    ? sequence.follow(from, options, this::print)
                    : sequence.follow(counters.counter(checkpoint), options, this::print)) {
                // The checkpoint may already be at the last entry to print, or beyond it.
                new Waiting(interrupt, null).await(() -> isEnded || follower.position() >= until);
                isEnded = true;
            }
        }

        private void print(Entry entry) {
            if (!isEnded && entry.number() <= until) {
                Json json = Json.object().with("sequence", name);
                reply.item(Entries.line(entry, 1), Entries.fill(json, entry));
                if (!reply.isUnread()) {
                    return;
                }
            }
            isEnded = true;
            throw new CancellationException(); // leaves the entry unprocessed
        }

        private void report(Throwable failure) {
            if (failure instanceof CancellationException) {
                return;
            }
            if (isEnded || failure instanceof CorruptDataException) {
                reply.exitWith(Failures.FAILED);
                isEnded = true;
            }
            reply.note(Reasons.of(failure) + (isEnded ? "" : "; still following"));
        }
    }
}
