package io.counterkit.cli.ingest;

import io.counterkit.Counters;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Progress;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts each line of a source: one line, one add. Used once, by one thread. */
final class Ingest implements LineSplitter.Sink {
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(50);

    private final Event event = new Event();
    private final LineSplitter splitter = new LineSplitter(this);
    private final Unsettled unsettled = new Unsettled();
    private final long start = System.nanoTime();
    private final Source source;
    private final LineFormat format;
    private final NameTable names;
    private final InFlight inFlight;
    private final MalformedLines malformed;
    private final Interrupt interrupt;
    private final Progress progress;
    private long lines;
    private long blank;

    Ingest(Source source, LineFormat format, Counters counters, int limit, Interrupt interrupt, Progress progress) {
        this.source = source;
        this.format = format;
        this.names = new NameTable(counters);
        this.inFlight = new InFlight(counters, limit, unsettled, this::showProgress);
        this.malformed = new MalformedLines(progress);
        this.interrupt = interrupt;
        this.progress = progress;
    }

    /** Counts until the source ends or the user interrupts, and then settles every add that was sent. */
    IngestSummary run() throws InterruptedException {
        interrupt.finishing(this::unfinished);
        IOException failure = read(ChunkReader.start(source.stream()));
        boolean interrupted = interrupt.isRequested();
        inFlight.drain();
        malformed.end();
        progress.clear();
        return new IngestSummary(
                source.name(),
                lines,
                blank,
                malformed.count(),
                inFlight.repeats(),
                List.copyOf(names.tallies()),
                unsettled.notApplied(),
                unsettled.unknown(),
                System.nanoTime() - start,
                interrupted,
                failure == null ? null : String.valueOf(failure.getMessage()));
    }

    /** What kept the source from being read to its end, if anything did. */
    private @Nullable IOException read(ChunkReader chunks) throws InterruptedException {
        while (!interrupt.isRequested()) {
            Chunk chunk = chunks.poll(TICK);
            if (chunk != null && chunk.isEnd()) {
                splitter.end();
                return chunk.failure();
            }
            if (chunk != null) {
                splitter.feed(chunk.bytes(), chunk.count());
                chunks.recycle(chunk);
            }
            inFlight.settleArrived();
            showProgress();
        }
        return null;
    }

    @Override
    public void line(byte[] buffer, int from, int to) throws InterruptedException {
        if (interrupt.isRequested()) {
            return;
        }
        lines++;
        if (from == to) {
            blank++;
            return;
        }
        Tally tally;
        CompletableFuture<Void> reply;
        try {
            format.read(buffer, from, to, event);
            tally = names.get(buffer, event.from, event.to);
            reply = tally.counter().add(event.delta);
        } catch (IllegalArgumentException e) {
            malformed.report(lines, e.getMessage());
            return;
        }
        inFlight.follow(tally, event.delta, reply);
    }

    @Override
    public void tooLong() {
        if (interrupt.isRequested()) {
            return;
        }
        lines++;
        malformed.report(lines, "longer than " + LineSplitter.LONGEST + " bytes");
    }

    private void showProgress() {
        progress.show(this::progressLine);
    }

    private String progressLine() {
        long nanos = System.nanoTime() - start;
        if (interrupt.isRequested()) {
            return "finishing " + unfinished() + "  " + Figures.time(nanos);
        }
        String counted = Figures.grouped(lines) + " lines  " + Figures.grouped(Figures.perSecond(lines, nanos)) + "/s";
        if (source.size() <= 0) {
            return counted + "  " + Figures.time(nanos);
        }
        double done = fractionDone(splitter.taken(), source.size(), lines, inFlight.open());
        return Figures.percent(done) + " " + Figures.bar(done, 30) + " " + counted + "  " + Figures.left(done, nanos);
    }

    /** Which part of the work is done: a line is done when its add is settled. */
    static double fractionDone(long bytes, long size, long lines, long open) {
        return lines == 0 ? 0 : Math.min(1, (double) bytes / size) * (lines - open) / lines;
    }

    private @Nullable String unfinished() {
        int open = inFlight.open();
        return open == 0 ? null : Figures.count(open, "add that was sent", "adds that were sent");
    }
}
