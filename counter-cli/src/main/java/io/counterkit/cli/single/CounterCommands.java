package io.counterkit.cli.single;

import static io.counterkit.cli.console.Arguments.check;
import static io.counterkit.cli.single.SingleCall.change;
import static io.counterkit.cli.single.SingleCall.read;
import static io.counterkit.cli.single.SingleCall.required;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamedReading;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Arguments;
import io.counterkit.cli.console.Failures;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Json;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands on counters. */
public final class CounterCommands {
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");

    private CounterCommands() {}

    @Command(name = "add")
    public static int add(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(arity = "0..1", paramLabel = "DELTA", defaultValue = "1") String delta,
            @Option(names = "--token", paramLabel = "TOKEN") @Nullable String token) {
        Limits.checkName("counter name", name);
        // Checked here, so that the parser reports a misspelt option before it.
        check(WHOLE.matcher(delta).matches(), "delta '" + delta + "' is not a whole number within ±2^53");
        long amount = Limits.checkDelta(Long.parseLong(delta));
        IdempotencyToken given = token == null ? null : IdempotencyToken.of(token);
        return change(context, Opening.DURABLE, (counters, open, reply) -> {
            Counter counter = counters.counter(name);
            if (given == null) {
                counter.add(amount);
            } else {
                counter.add(amount, given);
            }
            String once = given == null ? "" : ", once in total under token '" + given + "'";
            Json json = reply.applied("added " + amount + " to '" + name + "'" + once)
                    .with("counter", name)
                    .with("delta", amount);
            if (given != null) {
                json.with("token", given.value());
            }
        });
    }

    @Command(name = "get")
    public static int get(
            @Mixin CommandContext context,
            @Parameters(arity = "1..*", paramLabel = "NAME") List<String> names,
            @Option(names = "--max-staleness", paramLabel = "TIME") @Nullable Duration maxStaleness) {
        names.forEach(name -> Limits.checkName("counter name", name));
        return read(context, Opening.READING, (counters, open, reply) -> {
            List<Json> read = new ArrayList<>();
            for (int from = 0; from < names.size(); from += Limits.MAX_PAGE) {
                List<String> page = names.subList(from, Math.min(names.size(), from + Limits.MAX_PAGE));
                Readings readings = counters.readAll(page, maxStaleness == null ? Duration.ZERO : maxStaleness);
                for (String name : page) {
                    CounterException failure = readings.failures().get(name);
                    if (failure != null) {
                        reply.note("'" + name + "' cannot be read: " + failure.getMessage());
                        reply.exitWith(Failures.FAILED);
                        read.add(Json.object().with("name", name).with("error", failure.getMessage()));
                        continue;
                    }
                    Reading reading = readings.get(name);
                    reply.line(
                            maxStaleness != null
                                    ? aged(reading) + "  " + name
                                    : names.size() == 1
                                            ? String.valueOf(reading.value())
                                            : column(reading) + "  " + name);
                    read.add(json(name, reading));
                }
            }
            reply.json().with("counters", read);
        });
    }

    static String aged(Reading reading) {
        String age = Figures.time(reading.staleness().toNanos());
        return column(reading) + String.format(Locale.ROOT, "  at most %7s old", age);
    }

    private static String column(Reading reading) {
        return String.format(Locale.ROOT, "%20d", reading.value());
    }

    static Json json(String name, Reading reading) {
        return Json.object()
                .with("name", name)
                .with("total", reading.value())
                .with("asOf", reading.asOf().toString())
                .with("stalenessSeconds", reading.staleness().toNanos() / 1e9);
    }

    @Command(name = "top")
    public static int top(
            @Mixin CommandContext context,
            @Parameters(arity = "0..1", paramLabel = "PREFIX", defaultValue = "") String prefix,
            @Option(
                            names = {"-n", "--limit"},
                            paramLabel = "N",
                            defaultValue = "10")
                    int limit) {
        Limits.checkBetween("--limit", limit, 1, Limits.MAX_PAGE);
        Arguments.checkPrefix(prefix);
        return read(context, Opening.READING, (counters, open, reply) -> {
            List<Json> listed = new ArrayList<>();
            List<NamedReading> top = counters.top(prefix, limit);
            boolean isOld =
                    top.stream().anyMatch(named -> !named.reading().staleness().isZero());
            for (NamedReading named : top) {
                reply.line((isOld ? aged(named.reading()) : column(named.reading())) + "  " + named.name());
                listed.add(json(named.name(), named.reading()));
            }
            reply.json().with("counters", listed);
        });
    }

    @Command(name = "reset")
    public static int reset(@Mixin CommandContext context, @Parameters(paramLabel = "NAME") String name) {
        return clear(context, name, Counter::reset, "reset");
    }

    @Command(name = "delete")
    public static int delete(@Mixin CommandContext context, @Parameters(paramLabel = "NAME") String name) {
        return clear(context, name, Counter::delete, "deleted");
    }

    private static int clear(CommandContext context, String name, Consumer<Counter> change, String done) {
        Limits.checkName("counter name", name);
        return change(context, Opening.DURABLE, (counters, open, reply) -> {
            change.accept(counters.counter(name));
            reply.applied(done + " '" + name + "'").with("counter", name);
        });
    }

    @Command(name = "reshard")
    public static int reshard(
            @Mixin CommandContext context,
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "N") int count) {
        Limits.checkName("counter name", name);
        Limits.checkBetween("shard count", count, 1, FirestoreCounterOptions.MAX_SHARDS);
        return change(context, Opening.READING, (counters, open, reply) -> {
            FirestoreCounterBackend firestore =
                    required(open.firestore(), context, "has no shards: use --backend firestore");
            Futures.join(firestore.reshard(name, count));
            reply.applied("'" + name + "' has " + Figures.count(count, "shard", "shards"))
                    .with("counter", name)
                    .with("shards", count);
        });
    }
}
