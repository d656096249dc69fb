package io.counterkit.cli.single;

import io.counterkit.CounterException;
import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Arguments;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Json;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.ExtensionImportReport;
import io.counterkit.firestore.ExtensionImportReport.Left;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code counter import-extension}. */
public final class ExtensionCommand {
    private ExtensionCommand() {}

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
        Waiting.checkLength(length);
        if (every != null) {
            Limits.checkDuration("--every", every);
        }
        return SingleCall.change(context, Opening.READING, (counters, open, reply) -> {
            FirestoreCounterBackend firestore = SingleCall.required(
                    open.firestore(),
                    context,
                    "has no counters of the extension: it counts in Firestore, so use --backend firestore");
            ExtensionImport source = ExtensionImport.of(firestore, collection, fields);
            if (every != null) {
                context.interrupt().finishing(() -> null);
            }
            ExtensionImportReport first = Futures.join(source.run());
            checkFound(collection, fields, first);
            show(reply, first);
            if (every != null) {
                keepUp(source, first.left(), new Waiting(context.interrupt(), length), every, reply);
            }
        });
    }

    private static void checkFound(String collection, List<String> fields, ExtensionImportReport pass) {
        Arguments.check(
                pass.documents() > 0,
                "collection '" + collection + "' has no documents, and no shards of the extension beneath it: check its"
                        + " path, --project and --database; nothing was changed");
        Arguments.check(
                pass.counters() > 0 || !pass.left().isEmpty(),
                "no document of collection '" + collection + "' counts in " + String.join(" or ", fields)
                        + (pass.otherFields().isEmpty()
                                ? ""
                                : "; fields with numbers are " + String.join(", ", pass.otherFields()))
                        + "; nothing was changed");
    }

    /** Drains the increments that clients write for the extension, until the time is over or the user interrupts. */
    private static void keepUp(
            ExtensionImport source, List<Left> leftAtFirst, Waiting waiting, Duration every, Reply reply) {
        List<Left> leftBefore = leftAtFirst;
        while (waiting.awaitTurn(every)) {
            try {
                ExtensionImportReport pass = Futures.join(source.drain());
                if (pass.shards() > 0 || !Set.copyOf(leftBefore).containsAll(pass.left())) {
                    show(reply, pass);
                }
                leftBefore = pass.left();
            } catch (CounterException e) {
                reply.exitWith(Failures.FAILED);
                reply.note(e.getMessage() + "; continuing");
            }
        }
    }

    private static void show(Reply reply, ExtensionImportReport pass) {
        List<String> lines = new ArrayList<>();
        lines.add(Figures.count(pass.counters(), "counter", "counters") + " in "
                + Figures.count(pass.documents(), "document", "documents") + ": " + Figures.grouped(pass.added())
                + " added, " + Figures.count(pass.shards(), "shard", "shards") + " emptied");
        List<String> left = pass.left().stream()
                .map(each -> each.document() + ": " + each.reason())
                .toList();
        left.forEach(each -> lines.add("  left: " + each));
        if (!pass.otherFields().isEmpty()) {
            lines.add("  clients also count in " + String.join(", ", pass.otherFields()));
        }
        reply.item(
                String.join(System.lineSeparator(), lines),
                Json.object().withAll(pass).with("left", left));
        if (!left.isEmpty()) {
            reply.exitWith(Failures.FAILED); // even if later passes take over every field
        }
    }
}
