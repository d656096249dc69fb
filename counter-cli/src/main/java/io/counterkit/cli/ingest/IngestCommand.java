package io.counterkit.cli.ingest;

import static io.counterkit.cli.console.Arguments.check;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.RampUpLimiter;
import io.counterkit.cli.backend.BackendFactory.Opening;
import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.Progress;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.CounterBackend;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "ingest")
public final class IngestCommand implements Callable<Integer> {
    /** The writes of the first five seconds of a ramp-up, so that no add waits until its deadline. */
    private static final int IN_FLIGHT_ON_RAMP = 2_500;

    /** The size of an add with a name of 400 bytes, as the queue counts it. */
    private static final long LARGEST_ADD_BYTES = 2048;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandContext context;

    @Parameters(arity = "0..1", paramLabel = "FILE")
    private String file = "-";

    @Option(names = "--access-log")
    private boolean accessLog;

    @Option(names = "--top", paramLabel = "N")
    private int top = 10;

    @Option(names = "--in-flight", paramLabel = "N")
    private int inFlight = 10_000;

    @Option(names = "--ramp", negatable = true)
    private @Nullable Boolean ramp;

    @Option(names = "--resume", negatable = true)
    private @Nullable Boolean resume;

    @Override
    public Integer call() throws InterruptedException, IOException {
        check(top >= 0, "--top " + top + ": use 0 or more");
        check(inFlight >= 1, "--in-flight " + inFlight + ": use 1 or more");
        IngestReport report = ingest();
        report.print(context.console(), context.isJson());
        return report.exitCode();
    }

    private IngestReport ingest() throws InterruptedException, IOException {
        IngestReport report;
        try (Source source = Source.open(file, context.console().in());
                Resumable resumable = Resumable.open(context, source, accessLog ? "access log" : "lines", resume)) {
            try (OpenBackend open = context.open(Opening.BULK)) {
                report = ingest(source, resumable, open);
                context.interrupt().finishing(() -> "the saving of what was counted");
            }
            // Everything is saved only now, after the backend was closed.
            if (report.ingest().isComplete()) {
                resumable.forget();
            }
        }
        return report;
    }

    private IngestReport ingest(Source source, Resumable resumable, OpenBackend open) throws InterruptedException {
        LongAdder commits = new LongAdder();
        CountersListener counting = new CountersListener() {
            @Override
            public void onBatch(Batch batch) {
                commits.increment();
            }
        };
        CountersOptions options = CountersOptions.builder()
                .queueLimit(inFlight)
                .queueBytes(Math.max(CountersOptions.defaults().queueBytes(), inFlight * LARGEST_ADD_BYTES))
                .listener(counting)
                .build();
        boolean isRamped = ramp == null ? open.ramp() != null : ramp;
        RampUpLimiter limiter = open.ramp() == null ? RampUpLimiter.recommended() : open.ramp();
        CounterBackend backend = open.backend();
        try (Counters counters = Counters.over(isRamped ? RampedAdds.over(backend, limiter) : backend, options)) {
            resumable.checkTokens(backend.retention());
            context.warnIfNothingIsKept();
            int limit = isRamped ? Math.min(inFlight, IN_FLIGHT_ON_RAMP) : inFlight;
            boolean wasEmpty = Backoff.retrying(() -> counters.counterNames("", null, 1))
                    .names()
                    .isEmpty();
            Progress progress = new Progress(context.console(), System::nanoTime);
            LineFormat format = accessLog ? LineFormat::accessLog : LineFormat::plain;
            Ingest ingest = new Ingest(source, format, counters, limit, context.interrupt(), progress, resumable);
            ingest.run();
            context.interrupt().finishing(() -> "the reading of the totals");
            Totals totals = Totals.read(counters, ingest.tallies.values(), top, wasEmpty, progress);
            progress.clear();
            return new IngestReport(ingest, commits, totals);
        }
    }
}
