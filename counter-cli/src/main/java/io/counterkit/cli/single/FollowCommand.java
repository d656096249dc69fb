package io.counterkit.cli.single;

import static io.counterkit.cli.single.SingleCall.check;

import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.Sequence;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Json;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Reasons;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code counter follow}. */
public final class FollowCommand {
    private FollowCommand() {}

    /** {@code counter follow}. */
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
                    "--from does not go together with --checkpoint, which starts after its total: to begin a new one"
                            + " elsewhere, add the number before to its counter");
        }
        Limits.checkDuration("--every", every);
        return SingleCall.readLive(context, (counters, open, reply) -> {
            context.interrupt().finishing(() -> null);
            new Following(reply, name, until == null ? Long.MAX_VALUE : until)
                    .run(counters, first, checkpoint, every, context.interrupt());
            reply.endItems();
        });
    }

    /** One run. An entry that was not printed is not processed, so that the checkpoint stays before it. */
    private static final class Following {
        private final Reply reply;
        private final String name;
        private final long until;
        private final CountDownLatch end = new CountDownLatch(1);

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
                // The checkpoint can be beyond the last entry already.
                new Waiting(interrupt, null).await(end, () -> follower.position() >= until);
                end.countDown();
            }
            if (interrupt.isRequested()) {
                reply.exitWith(Interrupt.EXIT_CODE);
            }
        }

        private void print(Entry entry) {
            if (!isEnded() && entry.number() <= until) {
                Json json = Json.object().with("sequence", name);
                reply.item(Entries.line(entry, 1), Entries.fill(json, entry));
                if (!reply.isUnread()) {
                    return;
                }
            }
            end.countDown();
            throw new NotPrintedException();
        }

        private void report(Throwable failure) {
            if (failure instanceof NotPrintedException) {
                return;
            }
            boolean isLast = isEnded();
            if (isLast || failure instanceof CorruptDataException) {
                reply.exitWith(Failures.FAILED);
                end.countDown();
                isLast = true;
            }
            reply.note(Reasons.of(failure) + (isLast ? "" : "; still following"));
        }

        private boolean isEnded() {
            return end.getCount() == 0;
        }
    }

    /** Leaves an entry unprocessed. */
    private static final class NotPrintedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
