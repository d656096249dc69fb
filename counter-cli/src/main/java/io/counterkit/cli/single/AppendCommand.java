package io.counterkit.cli.single;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.spi.Fields;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code counter append}. */
@Command(
        name = "append",
        header = "Appends an entry to a sequence and prints its number.",
        description = {
            "",
            "A field is a name and a value: NAME=TEXT for a text as it stands there, and NAME:=VALUE for a whole number"
                    + " (7), a floating-point one (7.0, 1e9, NaN), true or false, a time"
                    + " (2026-01-31T09:30:00Z), bytes (base64:AQID), or a text as a JSON string (\"two\\nlines\"). A"
                    + " name with = or : in it is written as a JSON string as well.",
            "",
            "With a token it can be repeated, from anywhere: the same token again appends nothing and prints the number"
                    + " of the first entry."
        })
public final class AppendCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(index = "0", paramLabel = "SEQUENCE", description = "The sequence.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "FIELD=VALUE", description = "The fields.")
    private List<String> words = new ArrayList<>();

    @Option(names = "--token", paramLabel = "TOKEN", description = "What the entry is known by.")
    private @Nullable String token;

    @Option(names = "--subject", paramLabel = "SUBJECT", description = "What the entry is a revision of.")
    private @Nullable String subject;

    @Option(
            names = "--change",
            paramLabel = "CHANGE",
            description = "What becomes of the subject: ${COMPLETION-CANDIDATES}.")
    private @Nullable Revision change;

    /** The command. */
    public AppendCommand(SingleCall call) {
        this.call = call;
    }

    /** The changes as they are typed. */
    enum Revision {
        added(Change.ADDED),
        updated(Change.UPDATED),
        removed(Change.REMOVED);

        private final Change change;

        Revision(Change change) {
            this.change = change;
        }
    }

    @Override
    public Integer call() {
        return call.change(() -> {
            Limits.checkName("sequence name", name);
            Map<String, Object> fields = Fields.check(FieldNotation.read(words));
            IdempotencyToken given = token == null ? null : IdempotencyToken.of(token);
            if ((subject == null) != (change == null)) {
                throw new IllegalArgumentException("--subject and --change go together: give both or none");
            }
            if (subject != null) {
                Limits.checkName("subject", subject);
            }
            return (counters, reply) -> {
                Entry entry = append(counters.sequence(name), fields, given);
                reply.result(String.valueOf(entry.number()));
                Entries.fill(reply.json().with("outcome", "applied").with("sequence", name), entry);
            };
        });
    }

    private Entry append(Sequence sequence, Map<String, Object> fields, @Nullable IdempotencyToken given) {
        if (subject == null || change == null) {
            return given == null ? sequence.append(fields) : sequence.append(fields, given);
        }
        return given == null
                ? sequence.append(change.change, subject, fields)
                : sequence.append(change.change, subject, fields, given);
    }
}
