package io.counterkit.cli.single;

import io.counterkit.CounterException;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.backend.ExtensionCounters;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Json;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code counter import-extension}. */
public final class ExtensionCommand {
    private static final long TICK_MILLIS = 20;

    private ExtensionCommand() {}

    /** {@code counter import-extension}. */
    @Command(name = "import-extension")
    public static int importExtension(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "COLLECTION") String collection,
            @Parameters(arity = "1..*", paramLabel = "FIELD") List<String> fields,
            @Option(names = "--every", paramLabel = "TIME") @Nullable Duration every,
            @Option(names = "--for", paramLabel = "TIME") @Nullable Duration length) {
        if (length != null && every == null) {
            throw new IllegalArgumentException(
                    "--for " + Durations.inWords(length) + " limits how long the import continues: give --every too");
        }
        if (length != null && length.isZero()) {
            throw new IllegalArgumentException("--for " + Durations.inWords(length) + ": use 1 ms or more");
        }
        if (every != null) {
            Limits.checkDuration("--every", every);
        }
        return SingleCall.change(context, (counters, open, reply) -> {
            ExtensionCounters extension = open.extensionCounters();
            if (extension == null) {
                throw new UnsupportedOperationException("backend '" + context.backend()
                        + "' has no counters of the extension: it counts in Firestore, so use --backend firestore");
            }
            ExtensionCounters.Source source = extension.of(collection, fields);
            if (every != null) {
                context.interrupt().finishing(() -> null);
            }
            ExtensionCounters.Pass first = source.all();
            checkFound(collection, fields, first);
            show(reply, first);
            if (every != null) {
                keepUp(source, first.left(), context.interrupt(), every, length, reply);
            }
            reply.endItems();
        });
    }

    private static void checkFound(String collection, List<String> fields, ExtensionCounters.Pass pass) {
        if (pass.documents() == 0) {
            throw new IllegalArgumentException("collection '" + collection + "' has no documents, and no shards of the"
                    + " extension beneath it: check its path, --project and --database; nothing was changed");
        }
        if (pass.counters() == 0 && pass.left().isEmpty()) {
            throw new IllegalArgumentException("no document of collection '" + collection + "' counts in "
                    + String.join(" or ", fields)
                    + (pass.otherFields().isEmpty()
                            ? ""
                            : "; fields with numbers are " + String.join(", ", pass.otherFields()))
                    + "; nothing was changed");
        }
    }

    /** Drains what is written in the extension's way, until the time is over or the user interrupts. */
    private static void keepUp(
            ExtensionCounters.Source source,
            List<String> leftAtFirst,
            Interrupt interrupt,
            Duration every,
            @Nullable Duration length,
            Reply reply) {
        List<String> leftBefore = leftAtFirst;
        long start = System.nanoTime();
        while (isDue(interrupt, every, length, start)) {
            try {
                ExtensionCounters.Pass pass = source.written();
                if (pass.shards() > 0 || !Set.copyOf(leftBefore).containsAll(pass.left())) {
                    show(reply, pass);
                }
                leftBefore = pass.left();
            } catch (CounterException e) {
                reply.exitWith(Failures.FAILED);
                reply.note(e.getMessage() + "; continuing");
            }
        }
        if (interrupt.isRequested()) {
            reply.exitWith(Interrupt.EXIT_CODE);
        }
    }

    /** Waits until a pass is due. Returns false if there is to be none. */
    private static boolean isDue(Interrupt interrupt, Duration every, @Nullable Duration length, long start) {
        CountDownLatch never = new CountDownLatch(1);
        long from = System.nanoTime();
        try {
            while (!interrupt.isRequested() && (length == null || System.nanoTime() - start < length.toNanos())) {
                long left = every.toNanos() - (System.nanoTime() - from);
                if (left <= 0) {
                    return true;
                }
                boolean unused =
                        never.await(Math.min(left, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private static void show(Reply reply, ExtensionCounters.Pass pass) {
        StringBuilder line = new StringBuilder(Figures.count(pass.counters(), "counter", "counters") + " in "
                + Figures.count(pass.documents(), "document", "documents") + ": " + Figures.grouped(pass.added())
                + " added, "
                + Figures.count(pass.shards(), "shard", "shards") + " emptied");
        pass.left()
                .forEach(left ->
                        line.append(System.lineSeparator()).append("  left: ").append(left));
        if (!pass.otherFields().isEmpty()) {
            line.append(System.lineSeparator())
                    .append("  clients also count in ")
                    .append(String.join(", ", pass.otherFields()));
        }
        reply.item(
                line.toString(),
                Json.object()
                        .with("documents", pass.documents())
                        .with("counters", pass.counters())
                        .with("added", pass.added())
                        .with("shards", pass.shards())
                        .with("otherFields", pass.otherFields())
                        .with("left", pass.left()));
        if (!pass.left().isEmpty()) {
            reply.exitWith(Failures.FAILED); // also if later passes leave nothing
        }
    }
}
