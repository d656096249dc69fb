package io.counterkit.cli.single;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.cli.console.DurationConverter;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Json;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code counter get}. */
@Command(
        name = "get",
        header = "Prints the totals of counters; 0 for one that was never added to.",
        description = {
            "",
            "A single total stands alone in its line; of several, each is followed by its name. A total that cannot be"
                    + " read is told on the error stream, and the others are printed."
        })
public final class GetCommand implements Callable<Integer> {
    @Mixin
    private final SingleCall call;

    @Parameters(arity = "1..*", paramLabel = "NAME", description = "The counters.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--max-staleness",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "A total may be so old, like 500ms, 10s, 5m or 2h, which makes it cheaper to read; how old it"
                    + " may be is printed beside it. Default: it has to be of now.")
    private @Nullable Duration maxStaleness;

    /** The command. */
    public GetCommand(SingleCall call) {
        this.call = call;
    }

    @Override
    public Integer call() {
        return call.read(() -> {
            names.forEach(name -> Limits.checkName("counter name", name));
            return this::get;
        });
    }

    private void get(Counters counters, Reply reply) {
        List<Json> read = new ArrayList<>();
        Duration staleness = maxStaleness == null ? Duration.ZERO : maxStaleness;
        for (int from = 0; from < names.size(); from += Limits.MAX_PAGE) {
            List<String> page = names.subList(from, Math.min(names.size(), from + Limits.MAX_PAGE));
            Readings readings = counters.readAll(page, staleness);
            for (String name : page) {
                CounterException failure = readings.failures().get(name);
                if (failure == null) {
                    Reading reading = readings.get(name);
                    reply.line(line(name, reading));
                    read.add(json(name, reading));
                } else {
                    reply.note("'" + name + "' cannot be read: " + failure.getMessage());
                    reply.exitWith(SingleCall.FAILED);
                    read.add(Json.object().with("name", name).with("error", failure.getMessage()));
                }
            }
        }
        reply.json().with("counters", read);
    }

    private String line(String name, Reading reading) {
        if (maxStaleness != null) {
            return aged(name, reading);
        }
        return names.size() == 1
                ? String.valueOf(reading.value())
                : String.format(Locale.ROOT, "%20d  %s", reading.value(), name);
    }

    static String aged(String name, Reading reading) {
        return String.format(
                Locale.ROOT,
                "%20d  at most %7s old  %s",
                reading.value(),
                Figures.time(reading.staleness().toNanos()),
                name);
    }

    static Json json(String name, Reading reading) {
        return Json.object()
                .with("name", name)
                .with("total", reading.value())
                .with("asOf", reading.asOf().toString())
                .with("stalenessSeconds", reading.staleness().toNanos() / 1e9);
    }
}
