package io.counterkit.cli.ingest;

import io.counterkit.Counters;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.FileNames;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.console.Progress;
import io.counterkit.spi.Limits;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Counts the lines of a source: one add for each. Used once, by one thread; what it has counted is read after that. */
final class Ingest {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int REPORTED = 20;

    /** The tallies by the bytes of their names, so that each name is decoded only once. */
    final Map<String, Tally> tallies = new HashMap<>();

    final Source source;

    /** Where an earlier run has counted to. */
    final Position.Mark before;

    /** How many lines were read, by an earlier run too. */
    long lines;

    long blank;
    long malformed;

    /** How often an add was sent again. */
    long retries;

    /** The time from the first line to the last reply. */
    long nanos;

    boolean isInterrupted;

    /** Why the rest of the source could not be read; null if it was. */
    @Nullable String failure;

    /** Why the rest of the source was not counted; null if it was. */
    @Nullable String stopped;

    private final LineFormat format;
    private final Counters counters;
    private final InFlight inFlight;
    private final Interrupt interrupt;
    private final Progress progress;
    private final @Nullable Resumable resumable;
    private final @Nullable Parts parts;
    private final Position position;

    /** Of all bytes before the place where the source stands. */
    private final CRC32C checksum;

    private long bytes;

    /**
     * @param limit the most adds without an outcome
     * @param resumable null if each line is an add of its own, and a later run cannot continue this one
     */
    Ingest(
            Source source,
            LineFormat format,
            Counters counters,
            int limit,
            Interrupt interrupt,
            Progress progress,
            @Nullable Resumable resumable) {
        this.source = source;
        this.format = format;
        this.counters = counters;
        this.inFlight = new InFlight(counters, limit, this::showProgress);
        this.interrupt = interrupt;
        this.progress = progress;
        this.resumable = resumable;
        this.position = resumable == null ? Position.atStart("") : resumable.position();
        this.checksum = resumable == null ? new CRC32C() : resumable.checksum();
        this.parts = resumable == null ? null : new Parts(resumable.file(), position, inFlight);
        this.before = position.done();
        this.lines = before.lines();
        this.bytes = before.bytes();
    }

    /** Returns whether a later run can continue this one if it is not complete. */
    boolean isResumable() {
        return parts != null;
    }

    /** Returns whether all lines of the source were read, and sent. */
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
        try (inFlight) {
            IOException unread = tryRepeat() ? read() : null;
            failure = unread == null ? null : String.valueOf(unread.getMessage());
            isInterrupted = interrupt.isRequested();
            inFlight.drain();
        }
        if (malformed > REPORTED) {
            progress.say(Figures.count(malformed - REPORTED, "more line is", "more lines are") + " malformed");
        }
        progress.clear();
        retries = inFlight.retries();
        nanos = progress.nanos();
    }

    /** Sends the part again that an earlier run may have counted. Returns false if its outcome is still unknown. */
    private boolean tryRepeat() throws InterruptedException {
        if (resumable == null || !position.isInDoubt()) {
            return true;
        }
        for (String line : resumable.inDoubt()) {
            count(line);
        }
        return trySend(position.sent());
    }

    /** Returns why the source could not be read to its end; null if it was. */
    private @Nullable IOException read() throws InterruptedException {
        LineReader reader = new LineReader(source.stream(), position.sent().bytes(), checksum);
        reader.start();
        Position.Mark end = position.sent();
        while (!interrupt.isRequested()) {
            LineReader.Batch batch = reader.poll(TICK_NANOS);
            if (batch != null) {
                boolean isCutOff = parts != null && batch.failure() != null; // what it ends with may be half a line
                for (String line : isCutOff ? List.<String>of() : batch.lines()) {
                    if (parts != null || !interrupt.isRequested()) {
                        count(line);
                    }
                }
                end = isCutOff ? end : new Position.Mark(lines, batch.bytes(), batch.checksum());
                if (parts != null && (batch.isEnd() || parts.isFull(end)) && !trySend(end)) {
                    return null;
                }
                if (batch.isEnd()) {
                    return batch.failure();
                }
            }
            inFlight.handleReplies();
            showProgress();
        }
        boolean unused = parts == null || trySend(end);
        return null;
    }

    private boolean trySend(Position.Mark end) throws InterruptedException {
        try {
            if (Objects.requireNonNull(parts).trySend(end)) {
                return true;
            }
            stopped = "the store did not apply some adds";
        } catch (IOException e) {
            stopped = "the position of this run could not be stored: " + FileNames.problem(e);
        }
        return false;
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
            if (parts != null) {
                parts.add(tally, Limits.checkDelta(event.delta()));
                return;
            }
            reply = tally.counter.add(event.delta());
        } catch (IllegalArgumentException e) {
            if (++malformed <= REPORTED) {
                progress.say("line " + lines + ": " + e.getMessage());
            }
            return;
        }
        inFlight.add(tally, event.delta(), 1, null, reply);
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
        if (interrupt.isRequested()) {
            return "finishing " + unfinished() + "  " + Figures.time(passed);
        }
        String counted =
                Figures.grouped(lines) + " lines  " + Figures.grouped(Figures.perSecond(newLines(), passed)) + "/s";
        if (source.size() <= 0) {
            return counted + "  " + Figures.time(passed);
        }
        double done = fractionDone(bytes, source.size(), lines, inFlight.pending());
        double ofThisRun = fractionOfRun(done, (double) before.bytes() / source.size());
        return Figures.percent(done) + " " + Figures.bar(done, 30) + " " + counted + "  "
                + Figures.left(ofThisRun, passed);
    }

    /** Returns the part of the work of this run that is done, if an earlier run has done the part {@code before}. */
    static double fractionOfRun(double done, double before) {
        return before >= 1 ? 1 : (done - before) / (1 - before);
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
