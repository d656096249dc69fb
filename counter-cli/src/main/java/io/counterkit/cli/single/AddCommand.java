package io.counterkit.cli.single;

import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.cli.console.Json;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code counter add}. */
@Command(
        name = "add",
        header = "Adds to a counter, exactly once.",
        description = {
            "",
            "With a token it can be repeated, from anywhere: the same token again is applied once in all."
        })
public final class AddCommand implements Callable<Integer> {
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");

    @Mixin
    private final SingleCall call;

    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "The counter.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DELTA",
            description = "What to add, negative too. Default: ${DEFAULT-VALUE}.")
    private String delta = "1";

    @Option(names = "--token", paramLabel = "TOKEN", description = "What the add is known by.")
    private @Nullable String token;

    /** The command. */
    public AddCommand(SingleCall call) {
        this.call = call;
    }

    @Spec
    void spec(CommandSpec ofThis) {
        spec = ofThis;
        spec.parser().unmatchedOptionsArePositionalParams(true); // so that -5 is a delta; see refuseOptions
    }

    @Override
    public Integer call() {
        refuseOptions();
        return call.change(() -> {
            Limits.checkName("counter name", name);
            long amount = Limits.checkDelta(amount());
            IdempotencyToken given = token == null ? null : IdempotencyToken.of(token);
            return (counters, reply) -> {
                add(counters.counter(name), amount, given);
                reply.result("added " + amount + " to '" + name + "'"
                        + (given == null ? "" : ", once in all under token '" + given + "'"));
                Json json = reply.json()
                        .with("outcome", "applied")
                        .with("counter", name)
                        .with("delta", amount);
                if (given != null) {
                    json.with("token", given.value());
                }
            };
        });
    }

    private static void add(Counter counter, long amount, @Nullable IdempotencyToken token) {
        if (token == null) {
            counter.add(amount);
        } else {
            counter.add(amount, token);
        }
    }

    private long amount() {
        if (!WHOLE.matcher(delta).matches()) {
            throw new IllegalArgumentException("delta '" + delta + "' is not a whole number within ±2^53");
        }
        return Long.parseLong(delta);
    }

    /** The parser takes what it does not know for an argument here, so that -5 is one; a misspelt option is none. */
    private void refuseOptions() {
        boolean optionsEnd = spec.commandLine().getParseResult().originalArgs().contains("--");
        for (String word : List.of(name, delta)) {
            if (!optionsEnd && word.startsWith("-") && !WHOLE.matcher(word).matches()) {
                throw new UnmatchedArgumentException(spec.commandLine(), List.of(word));
            }
        }
    }
}
