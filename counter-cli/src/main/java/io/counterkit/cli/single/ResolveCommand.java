package io.counterkit.cli.single;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.cli.console.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code counter resolve}. */
@Command(
        name = "resolve",
        header = "Decides what became of the change that carries a token.",
        description = {
            "",
            "If it was applied, says what it was. If not, makes sure that it never will be, also if it is still on its"
                    + " way: the token is then used up, and trying again needs a new one."
        },
        exitCodeList = {
            "0:it was applied",
            "1:it was not, and never will be",
            "2:the command was not understood",
            "3:the store could not be asked: ask again"
        })
public final class ResolveCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(paramLabel = "TOKEN", description = "The token.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String token;

    /** The command. */
    public ResolveCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.read(() -> {
            IdempotencyToken asked = IdempotencyToken.of(token);
            return (counters, reply) -> tell(counters.resolve(asked), reply);
        });
    }

    private void tell(Resolution resolution, Reply reply) {
        Json json = reply.json().with("token", token).with("outcome", resolution.applied() ? "applied" : "not applied");
        if (resolution instanceof Resolution.Added added) {
            reply.line("applied: add of " + added.delta() + " to '" + added.counter() + "'");
            json.with("counter", added.counter()).with("delta", added.delta());
        } else if (resolution instanceof Resolution.Appended appended) {
            reply.line("applied: entry " + appended.number() + " of '" + appended.sequence() + "'");
            json.with("sequence", appended.sequence()).with("number", appended.number());
        } else if (resolution instanceof Resolution.Done done) {
            reply.line("applied: change of '" + done.name() + "'");
            json.with("name", done.name());
        } else {
            reply.line("not applied, and never will be");
            reply.exitWith(SingleCall.FAILED);
        }
    }
}
