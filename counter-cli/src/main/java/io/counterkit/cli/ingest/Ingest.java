package io.counterkit.cli.ingest;

import io.counterkit.Counters;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Progress;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts the lines of a source: one add for each. Used once, by one thread. */
final class Ingest {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int REPORTED = 20;

    /** By the bytes of the name, so that each name is decoded once. */
    private final Map<String, Tally> tallies = new HashMap<>();

    private final long start = System.nanoTime();
    private final Source source;
    private final LineFormat format;
    private final Counters counters;
    private final InFlight inFlight;
    private final Interrupt interrupt;
    private final Progress progress;
    private long lines;
    private long bytes;
    private long blank;
    private long malformed;

    Ingest(Source source, LineFormat format, Counters counters, int limit, Interrupt interrupt, Progress progress) {
        this.source = source;
        this.format = format;
        this.counters = counters;
        this.inFlight = new InFlight(counters, limit, this::showProgress);
        this.interrupt = interrupt;
        this.progress = progress;
    }

    /**
     * What an ingest has read and added.
     *
     * @param lines how many lines were read, blank and malformed ones too
     * @param repeats how often an add was sent again
     * @param nanos the time from the first line to the last reply
     * @param failure why the rest of the source could not be read; null if it was
     */
    record Result(
            String source,
            long lines,
            long blank,
            long malformed,
            long repeats,
            List<Tally> tallies,
            long nanos,
            boolean interrupted,
            @Nullable String failure) {
        /** Returns how many adds were applied. */
        long adds() {
            return tallies.stream().mapToLong(Tally::adds).sum();
        }
    }

    /** Counts until the source ends or the user interrupts, and then waits for the outcome of every add. */
    Result run() throws InterruptedException {
        interrupt.finishing(this::unfinished);
        IOException failure = read();
        boolean interrupted = interrupt.isRequested();
        inFlight.drain();
        if (malformed > REPORTED) {
            progress.say(Figures.count(malformed - REPORTED, "more line is", "more lines are") + " malformed");
        }
        progress.clear();
        return new Result(
                source.name(),
                lines,
                blank,
                malformed,
                inFlight.retries(),
                List.copyOf(tallies.values()),
                System.nanoTime() - start,
                interrupted,
                failure == null ? null : String.valueOf(failure.getMessage()));
    }

    /** Returns why the source could not be read to its end; null if it was. */
    private @Nullable IOException read() throws InterruptedException {
        LineReader reader = new LineReader(source.stream());
        reader.start();
        while (!interrupt.isRequested()) {
            LineReader.Batch batch = reader.poll(TICK_NANOS);
            for (String line : batch == null ? List.<String>of() : batch.lines()) {
                if (!interrupt.isRequested()) {
                    count(line);
                }
            }
            if (batch != null && batch.isEnd()) {
                return batch.failure();
            }
            inFlight.handleReplies();
            showProgress();
        }
        return null;
    }

    private void count(String raw) throws InterruptedException {
        lines++;
        bytes += raw.length() + 1;
        String line = raw.endsWith("\r") ? raw.substring(0, raw.length() - 1) : raw;
        if (line.isEmpty()) {
            blank++;
            return;
        }
        Tally tally;
        LineFormat.Event event;
        CompletableFuture<Void> reply;
        try {
            if (raw.length() > LineReader.LONGEST) {
                throw new IllegalArgumentException("longer than " + LineReader.LONGEST + " bytes");
            }
            event = format.read(line);
            tally = tally(event.name());
            reply = tally.counter().add(event.delta());
        } catch (IllegalArgumentException e) {
            if (++malformed <= REPORTED) {
                progress.say("line " + lines + ": " + e.getMessage());
            }
            return;
        }
        inFlight.add(tally, event.delta(), reply);
    }

    private Tally tally(String name) {
        Tally known = tallies.get(name);
        if (known != null) {
            return known;
        }
        Tally tally = new Tally(counters.counter(LineFormat.decode(name)).async());
        tallies.put(name, tally);
        return tally;
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
        double done = fractionDone(bytes, source.size(), lines, inFlight.pending());
        return Figures.percent(done) + " " + Figures.bar(done, 30) + " " + counted + "  " + Figures.left(done, nanos);
    }

    /** Returns the part of the work that is done; a line is done when its add has its outcome. */
    static double fractionDone(long bytes, long size, long lines, long pending) {
        return lines == 0 ? 0 : Math.min(1, (double) bytes / size) * (lines - pending) / lines;
    }

    private @Nullable String unfinished() {
        int pending = inFlight.pending();
        return pending == 0 ? null : Figures.count(pending, "add that was sent", "adds that were sent");
    }
}
