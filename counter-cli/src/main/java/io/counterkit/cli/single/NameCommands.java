package io.counterkit.cli.single;

import static io.counterkit.cli.single.SingleCall.change;
import static io.counterkit.cli.single.SingleCall.read;
import static io.counterkit.cli.single.SingleCall.required;

import io.counterkit.CounterException;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Arguments;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Json;
import io.counterkit.firestore.CounterDescription;
import io.counterkit.firestore.DeploymentReport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands on names and tokens, of counters and of sequences. */
public final class NameCommands {
    private NameCommands() {}

    @Command(name = "list")
    public static int list(
            @Mixin CommandContext context,
            @Option(names = "--prefix", paramLabel = "PREFIX", defaultValue = "") String prefix,
            @Option(names = "--sequences") boolean sequences,
            @Option(names = "--limit", paramLabel = "N") @Nullable Long most) {
        long limit = most == null ? Long.MAX_VALUE : most;
        Arguments.check(limit >= 1, "--limit " + limit + ": use 1 or more");
        Arguments.checkPrefix(prefix);
        return read(context, Opening.READING, (counters, open, reply) -> {
            BiFunction<@Nullable String, Integer, NamePage> pages = (cursor, size) -> sequences
                    ? counters.sequenceNames(prefix, cursor, size)
                    : counters.counterNames(prefix, cursor, size);
            List<String> listed = new ArrayList<>();
            long left = limit;
            String cursor = null;
            do {
                NamePage page = pages.apply(cursor, (int) Math.min(left, Limits.MAX_PAGE));
                page.names().forEach(reply::line);
                if (reply.isJson()) {
                    listed.addAll(page.names());
                }
                left -= page.names().size();
                cursor = page.next();
            } while (cursor != null && left > 0 && !reply.isEnough());
            boolean isMore = left == 0
                    && cursor != null
                    && !pages.apply(cursor, 1).names().isEmpty();
            if (isMore && !reply.isJson()) {
                reply.note("there are more: raise --limit " + limit + " to see them");
            }
            reply.json().with("names", listed).with("more", isMore);
        });
    }

    @Command(name = "describe")
    public static int describe(@Mixin CommandContext context, @Parameters(paramLabel = "NAME") String name) {
        Limits.checkName("name", name);
        return read(context, Opening.READING, (counters, open, reply) -> {
            Json counter = Json.object();
            Json sequence = Json.object();
            reply.line("counter '" + name + "'");
            attempt(reply, counter, "error", () -> {
                long total = counters.counter(name).get();
                reply.line("  total        " + total);
                counter.with("total", total);
                describeSeal(sealOf(name, open.backend()), reply, counter);
            });
            attempt(reply, counter, "backendError", () -> {
                FirestoreCounterBackend firestore = open.firestore();
                if (firestore != null) {
                    CounterDescription shards = Futures.join(firestore.describe(name));
                    FirestoreShards.lines(shards).forEach(line -> reply.line("  " + line));
                    counter.with("backend", FirestoreShards.json(shards));
                }
            });
            reply.line("sequence '" + name + "'");
            attempt(
                    reply,
                    sequence,
                    "error",
                    () -> describe(counters.sequence(name).tail(), reply, sequence));
            reply.json().with("name", name).with("counter", counter).with("sequence", sequence);
        });
    }

    private static void describe(Tail tail, Reply reply, Json json) {
        reply.line("  last number  " + tail.last());
        reply.line("  live count   " + tail.liveCount());
        json.with("last", tail.last()).with("liveCount", tail.liveCount()).with("forward", null);
        describeSeal(tail.seal(), reply, json);
    }

    private static void describeSeal(@Nullable Seal seal, Reply reply, Json json) {
        if (seal != null) {
            reply.line("  sealed       it continues at '" + seal.forward() + "'");
            json.with("forward", seal.forward());
        }
    }

    /** Returns the seal of a counter; null if there is none, or if the backend cannot seal counters. */
    private static @Nullable Seal sealOf(String counter, CounterBackend backend) {
        if (!backend.capabilities().contains(Capability.SEAL_COUNTERS)) {
            return null;
        }
        Call call = new Call(CountersOptions.defaults().deadline(), CountersListener.disabled());
        return Futures.join(backend.migration().states(ChangeTarget.Kind.COUNTER, List.of(counter), call))
                .get(0)
                .seal();
    }

    private static void attempt(Reply reply, Json json, String member, Runnable part) {
        try {
            part.run();
        } catch (CounterException e) {
            reply.line("  cannot be read: " + e.getMessage());
            reply.note(String.valueOf(e.getMessage()));
            reply.exitWith(Failures.FAILED);
            json.with(member, e.getMessage());
        }
    }

    @Command(name = "check")
    public static int check(@Mixin CommandContext context) {
        return read(context, Opening.READING, (counters, open, reply) -> {
            FirestoreCounterBackend firestore =
                    required(open.firestore(), context, "has nothing to check: use --backend firestore");
            DeploymentReport report = Futures.join(firestore.checkDeployment());
            boolean isComplete = report.missing().isEmpty();
            report.findings().forEach(finding -> print(finding, reply));
            if (!isComplete) {
                reply.line("to deploy all of them: firebase deploy --only firestore:indexes, with the file"
                        + " firestore.indexes.json of counter-firestore");
                reply.exitWith(Failures.FAILED);
            }
            reply.json().with("complete", isComplete).with("backend", report);
        });
    }

    private static void print(DeploymentReport.Finding finding, Reply reply) {
        reply.line(String.format("%-9s%s", Json.word(finding.state()), finding.what()));
        if (!finding.effect().isEmpty()) {
            reply.line("         " + finding.effect());
        }
        finding.commands().forEach(command -> reply.line("         " + command));
    }

    @Command(name = "seal")
    public static int seal(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--forward", required = true, paramLabel = "ADDRESS") String forward,
            @Option(names = "--sequence") boolean sequence) {
        String kind = sequence ? "sequence" : "counter";
        Limits.checkName(kind + " name", name);
        Limits.checkText("--forward", forward, Limits.MAX_TOKEN_BYTES);
        return change(context, Opening.DURABLE, (counters, open, reply) -> {
            Seal seal = sequence
                    ? counters.sequence(name).seal(forward)
                    : counters.counter(name).seal(forward);
            Json json = reply.applied(
                            "sealed '" + name + "' at " + seal.last() + ": it continues at '" + seal.forward() + "'")
                    .with(kind, name)
                    .with("forward", seal.forward())
                    .with(sequence ? "last" : "total", seal.last());
            if (sequence) {
                json.with("liveCount", seal.liveCount());
            }
        });
    }

    @Command(name = "resolve")
    public static int resolve(@Mixin CommandContext context, @Parameters(paramLabel = "TOKEN") String token) {
        IdempotencyToken checked = IdempotencyToken.of(token);
        return read(
                context, Opening.DURABLE, (counters, open, reply) -> print(counters.resolve(checked), token, reply));
    }

    private static void print(Resolution resolution, String token, Reply reply) {
        reply.json().with("token", token).with("outcome", resolution.applied() ? "applied" : "not applied");
        if (resolution instanceof Resolution.Added added) {
            reply.line("applied: add of " + added.delta() + " to '" + added.counter() + "'");
            reply.json().withAll(added);
        } else if (resolution instanceof Resolution.Appended appended) {
            reply.line("applied: entry " + appended.number() + " of '" + appended.sequence() + "'");
            reply.json().withAll(appended);
        } else if (resolution instanceof Resolution.Done done) {
            reply.line("applied: change of '" + done.name() + "'");
            reply.json().withAll(done);
        } else if (resolution instanceof Resolution.Committed) {
            reply.line("applied: a transaction of the application");
        } else {
            reply.line("not applied, and never will be");
            reply.exitWith(Failures.FAILED);
        }
    }
}
