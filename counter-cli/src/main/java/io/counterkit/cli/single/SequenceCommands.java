package io.counterkit.cli.single;

import static io.counterkit.cli.console.Arguments.check;
import static io.counterkit.cli.single.SingleCall.change;
import static io.counterkit.cli.single.SingleCall.read;
import static io.counterkit.cli.single.SingleCall.required;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Json;
import io.counterkit.datastore.adopt.Adoption;
import io.counterkit.datastore.adopt.AdoptionReport;
import io.counterkit.datastore.common.DatastoreBackend;
import io.counterkit.spi.Fields;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands on sequences. */
public final class SequenceCommands {
    private SequenceCommands() {}

    @Command(name = "next")
    public static int next(@Mixin CommandContext context, @Parameters(paramLabel = "SEQUENCE") String name) {
        Limits.checkName("sequence name", name);
        return change(context, Opening.DURABLE, (counters, open, reply) -> {
            long number = counters.sequence(name).next();
            reply.applied(String.valueOf(number)).with("sequence", name).with("number", number);
        });
    }

    /** The changes of subjects, named as the user types them. */
    public enum TypedChange {
        added,
        updated,
        removed
    }

    @Command(name = "append")
    public static int append(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "SEQUENCE") String name,
            @Parameters(arity = "0..*", paramLabel = "FIELD=VALUE") @Nullable List<String> words,
            @Option(names = "--token", paramLabel = "TOKEN") @Nullable String token,
            @Option(names = "--subject", paramLabel = "SUBJECT") @Nullable String subject,
            @Option(names = "--change", paramLabel = "CHANGE") @Nullable TypedChange typed) {
        Limits.checkName("sequence name", name);
        Map<String, Object> fields = Fields.check(FieldNotation.read(words == null ? List.of() : words));
        IdempotencyToken given = token == null ? null : IdempotencyToken.of(token);
        check((subject == null) == (typed == null), "--subject and --change go together: give both or neither");
        if (subject != null) {
            Limits.checkName("subject", subject);
        }
        return change(context, Opening.DURABLE, (counters, open, reply) -> {
            Sequence sequence = counters.sequence(name);
            Entry entry;
            if (subject == null || typed == null) {
                entry = given == null ? sequence.append(fields) : sequence.append(fields, given);
            } else {
                Change change = Change.valueOf(typed.name().toUpperCase(Locale.ROOT));
                entry = given == null
                        ? sequence.append(change, subject, fields)
                        : sequence.append(change, subject, fields, given);
            }
            Entries.fill(reply.applied(String.valueOf(entry.number())).with("sequence", name), entry);
        });
    }

    @Command(name = "entries")
    public static int entries(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "SEQUENCE") String name,
            @Option(names = "--from", paramLabel = "N") @Nullable Long from,
            @Option(names = "--to", paramLabel = "N") @Nullable Long to,
            @Option(names = "--last", paramLabel = "N") @Nullable Long last) {
        Limits.checkName("sequence name", name);
        check(last == null || (from == null && to == null), "--last cannot be combined with --from and --to");
        long least = from == null ? 1 : from;
        check(last == null || last >= 1, "--last " + last + ": use 1 or more");
        check(least >= 1, "--from " + from + ": numbers start at 1");
        check(to == null || to >= least, "--to " + to + ": use " + least + " or more");
        return read(context, Opening.READING, (counters, open, reply) -> {
            Sequence sequence = counters.sequence(name);
            long tail = sequence.last();
            long first = last == null ? least : Math.max(1, tail - last + 1);
            long end = to == null ? tail : Math.min(to, tail);
            int width = String.valueOf(end).length();
            List<Json> entries = new ArrayList<>();
            for (long start = first; start <= end && !reply.isEnough(); start += Limits.MAX_PAGE) {
                for (Entry entry : sequence.read(start, Math.min(end, start + Limits.MAX_PAGE - 1))) {
                    if (reply.isJson()) {
                        entries.add(Entries.fill(Json.object(), entry));
                    } else {
                        reply.line(Entries.line(entry, width));
                    }
                }
            }
            reply.json().with("sequence", name).with("last", tail).with("entries", entries);
        });
    }

    @Command(name = "erase")
    public static int erase(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "SEQUENCE") String name,
            @Parameters(paramLabel = "NUMBER") long number) {
        Limits.checkName("sequence name", name);
        check(number >= 1, "number " + number + ": use 1 or more");
        return change(context, Opening.READING, (counters, open, reply) -> {
            erase(counters.sequence(name), number);
            reply.applied("erased the fields of entry " + number + " of '" + name + "'")
                    .with("sequence", name)
                    .with("number", number);
        });
    }

    /** Erases an entry. If there is none with this number, the message of the exception states the numbers. */
    private static void erase(Sequence sequence, long number) {
        try {
            sequence.erase(number);
        } catch (IllegalArgumentException e) {
            long last = sequence.last();
            throw new IllegalArgumentException(
                    last == 0
                            ? "sequence '" + sequence.name()
                                    + "' has no entries: check its name; 'counter list --sequences' prints the names"
                            : "sequence '" + sequence.name() + "' has no entry " + number + ": use 1 to " + last,
                    e);
        }
    }

    @Command(name = "adopt")
    public static int adopt(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "SEQUENCE") String name,
            @Option(names = "--kind", required = true, paramLabel = "KIND") String kind,
            @Option(names = "--number", required = true, paramLabel = "PROPERTY") String number,
            @Option(names = "--count", paramLabel = "PROPERTY") @Nullable String count,
            @Option(names = "--key-field", paramLabel = "FIELD") @Nullable String keyField,
            @Option(names = "--dry-run") boolean dryRun) {
        Limits.checkName("sequence name", name);
        Adoption records = new Adoption(kind, number, count, keyField);
        return change(context, Opening.READING, (counters, open, reply) -> {
            DatastoreBackend<?> datastore =
                    required(open.datastore(), context, "has no records to adopt: use --backend datastore");
            AdoptionReport found = dryRun ? datastore.checkAdoption(name, records) : datastore.adopt(name, records);
            boolean isAdopted = found.adopted() && found.records() > 0;
            lines(records, found).forEach(reply::line);
            reply.line(isAdopted ? "adopted as sequence '" + name + "'" : "nothing was changed");
            reply.json().with("sequence", name).withAll(found).with("adopted", isAdopted);
            reply.exitWith(found.isClean() && found.records() > 0 ? 0 : Failures.FAILED);
        });
    }

    private static List<String> lines(Adoption records, AdoptionReport found) {
        if (found.records() == 0) {
            return List.of("no record of kind '" + records.kind() + "' has an indexed property '"
                    + records.numberProperty() + "'");
        }
        List<String> lines = new ArrayList<>();
        lines.add(Figures.count(found.records(), "record", "records") + " of kind '" + records.kind() + "', numbered "
                + (found.isClean() ? "1 to " + found.last() + ", each once" : "up to " + found.last()));
        found.gaps()
                .forEach(gap ->
                        lines.add("  no record has number " + gap.from() + (gap.size() == 1 ? "" : " to " + gap.to())));
        found.duplicates().forEach(number -> lines.add("  several records have number " + number));
        found.faults().forEach(fault -> lines.add("  " + fault));
        return lines;
    }
}
