package io.counterkit.cli.ingest;

import io.counterkit.Counters;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.FileNames;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Progress;
import io.counterkit.spi.Limits;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts the lines of a source. Used once, by one thread. Its fields are read after {@link #run}. */
final class Ingest {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int REPORTED = 20;

    /** The tallies by the bytes of their names, so that each name is decoded only once. */
    final Map<String, Tally> tallies = new HashMap<>();

    final Source source;

    /** The position that an earlier run has reached. */
    final Position.Mark before;

    /** The number of lines that were read, including those of an earlier run. */
    long lines;

    long blank;
    long malformed;

    /** The number of times that an add was sent again. */
    long retries;

    /** The time from the first line to the last reply. */
    long nanos;

    boolean isInterrupted;

    /** Why the rest of the source could not be read; null if all of it was read. */
    @Nullable String failure;

    /** Why the rest of the source was not counted; null if all of it was counted. */
    @Nullable String stopped;

    private final LineFormat format;
    private final Counters counters;
    private final Interrupt interrupt;
    private final Progress progress;
    private final Resumable resumable;
    private final Parts parts;

    /** @param limit the maximum number of adds without an outcome */
    Ingest(
            Source source,
            LineFormat format,
            Counters counters,
            int limit,
            Interrupt interrupt,
            Progress progress,
            Resumable resumable) {
        this.source = source;
        this.format = format;
        this.counters = counters;
        this.interrupt = interrupt;
        this.progress = progress;
        this.resumable = resumable;
        this.parts = new Parts(resumable.file(), resumable.position(), limit, this::showProgress);
        this.before = resumable.position().done();
        this.lines = before.lines();
    }

    /** Returns whether a later run can resume this one. */
    boolean isResumable() {
        return resumable.file() != null;
    }

    /** Returns whether all lines of the source were read and sent. */
    boolean isComplete() {
        return !isInterrupted && failure == null && stopped == null;
    }

    /** Returns how many lines this run has read, including blank and malformed ones. */
    long newLines() {
        return lines - before.lines();
    }

    /** Returns how many adds were applied. */
    long adds() {
        return tallies.values().stream().mapToLong(tally -> tally.adds).sum();
    }

    /** Counts until the source ends or the user interrupts, and then waits for the outcome of every add. */
    void run() throws InterruptedException {
        interrupt.finishing(this::unfinished);
        IOException unread = tryRepeat() ? read() : null;
        failure = unread == null ? null : String.valueOf(unread.getMessage());
        isInterrupted |= stopped != null && interrupt.isRequested();
        if (malformed > REPORTED) {
            progress.say(Figures.count(malformed - REPORTED, "more line is", "more lines are") + " malformed");
        }
        progress.clear();
        retries = parts.retries();
        nanos = progress.nanos();
    }

    /** Sends again the part that an earlier run may have counted. Returns false if its outcome is still unknown. */
    private boolean tryRepeat() throws InterruptedException {
        resumable.inDoubt().forEach(this::count);
        return !resumable.position().isInDoubt() || trySend(resumable.position().sent());
    }

    /** Returns why the source could not be read to its end; null if it was read or the run was stopped. */
    private @Nullable IOException read() throws InterruptedException {
        Position.Mark end = resumable.position().sent();
        LineReader reader = new LineReader(source.stream(), end, resumable.checksum());
        reader.start();
        while (true) {
            LineReader.Batch batch = reader.poll(TICK_NANOS);
            if (batch != null) {
                batch.lines().forEach(this::count);
                end = batch.end();
            }
            boolean isEnd = batch != null && batch.isEnd();
            boolean isLast = isEnd || interrupt.isRequested();
            if ((isLast || parts.isDue(end)) && !trySend(end)) {
                return null;
            }
            if (isLast) {
                isInterrupted = !isEnd;
                return batch == null ? null : batch.failure();
            }
            showProgress();
        }
    }

    private boolean trySend(Position.Mark end) throws InterruptedException {
        try {
            if (parts.trySend(end)) {
                return true;
            }
            stopped = "the store did not apply some adds";
        } catch (IOException e) {
            stopped = "the position of this run could not be stored: " + FileNames.problem(e);
        }
        return false;
    }

    private void count(String raw) {
        lines++;
        String line = raw.endsWith("\r") ? raw.substring(0, raw.length() - 1) : raw;
        if (line.isEmpty()) {
            blank++;
            return;
        }
        try {
            if (raw.length() > LineReader.LONGEST) {
                throw new IllegalArgumentException("longer than " + LineReader.LONGEST + " bytes");
            }
            LineFormat.Event event = format.read(line);
            if (newLines() == 1 && event.name().equals(line) && LineFormat.isOfAccessLog(line)) {
                progress.say("line " + lines + " looks like the log of a web server, and counts as one name:"
                        + " --access-log counts the paths of requests instead");
            }
            parts.add(tally(event.name()), Limits.checkDelta(event.delta()));
        } catch (IllegalArgumentException e) {
            if (++malformed <= REPORTED) {
                progress.say("line " + lines + ": " + e.getMessage());
            }
        }
    }

    private Tally tally(String name) {
        return tallies.computeIfAbsent(
                name,
                bytes -> new Tally(counters.counter(LineFormat.decode(bytes)).async()));
    }

    private void showProgress() {
        progress.show(this::progressLine);
    }

    private String progressLine() {
        long passed = progress.nanos();
        String counted =
                Figures.grouped(lines) + " lines  " + Figures.grouped(Figures.perSecond(newLines(), passed)) + "/s";
        if (source.size() <= 0) {
            return counted + "  " + Figures.time(passed);
        }
        double done = Math.min(1, parts.countedBytes() / source.size());
        double ofThisRun = fractionOfRun(done, (double) before.bytes() / source.size());
        return Figures.percent(done) + " " + Figures.bar(done, 30) + " " + counted + "  "
                + Figures.left(ofThisRun, passed);
    }

    /** Returns the part of the work of this run that is done, if an earlier run has done the part {@code before}. */
    static double fractionOfRun(double done, double before) {
        return before >= 1 ? 1 : (done - before) / (1 - before);
    }

    private @Nullable String unfinished() {
        int pending = parts.pending();
        return pending == 0 ? null : Figures.count(pending, "add in flight", "adds in flight");
    }
}
