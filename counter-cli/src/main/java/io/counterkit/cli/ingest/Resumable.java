package io.counterkit.cli.ingest;

import static io.counterkit.cli.console.Arguments.check;

import io.counterkit.cli.backend.CommandContext;
import io.counterkit.cli.console.Figures;
import io.counterkit.cli.console.FileNames;
import io.counterkit.cli.console.UserDirectories;
import io.counterkit.spi.Durations;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The position at which the counting of a source starts. If a file is counted into a store that keeps each add, a
 * later run can resume one that did not finish. The stream of the source is positioned after the part that may have
 * been counted.
 *
 * @param file the file that stores the position; null if no later run can resume this one
 * @param inDoubt the lines of the part that may have been counted; empty if there is none
 * @param checksum the checksum of all bytes before the position of the stream
 */
record Resumable(@Nullable PositionFile file, Position position, List<String> inDoubt, CRC32C checksum)
        implements Closeable {
    /** The least age of a run. It is negative, since the clock may have been corrected after the run ended. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(-5);

    /** The options of backends that do not identify the store. */
    private static final Set<String> UNRELATED = Set.of("--create-tables", "--shards");

    /** Returns the start of the source. */
    static Resumable atStart(@Nullable PositionFile file) {
        return new Resumable(file, Position.atStart(UUID.randomUUID().toString()), List.of(), new CRC32C());
    }

    /**
     * Opens the position of a source, and moves the stream of the source to it.
     *
     * @param format the format of the lines; a run with another format has a position of its own
     * @param resume whether to resume a run that did not finish; null to refuse if there is one
     * @throws IllegalArgumentException if the source cannot be counted as requested; the message is for the user
     */
    static Resumable open(CommandContext context, Source source, String format, @Nullable Boolean resume)
            throws IOException {
        boolean isContinuing = Boolean.TRUE.equals(resume);
        Path input = source.file();
        if (input == null || !context.factory().isDurable()) {
            check(
                    !isContinuing,
                    "--resume: only a file can be resumed, and only in a store that keeps each acknowledged add:"
                            + " omit --resume");
            return atStart(null);
        }
        PositionFile file;
        try {
            file = PositionFile.open(PositionFile.path(
                    UserDirectories.ofProcess().data().resolve("ingest"),
                    input,
                    store(context.backend(), context.backendOptions()) + "\n" + format));
        } catch (IOException e) {
            if (isContinuing) {
                throw new IllegalArgumentException("--resume: " + FileNames.problem(e), e);
            }
            context.console().say("this run cannot be resumed if it is killed: " + FileNames.problem(e));
            return atStart(null);
        }
        if (file == null) {
            throw new IllegalArgumentException(
                    "another run is counting '" + source.name() + "': wait until it has ended");
        }
        try {
            return open(source, file, resume);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Resumable open(Source source, PositionFile file, @Nullable Boolean resume) throws IOException {
        if (Boolean.FALSE.equals(resume)) {
            return atStart(file);
        }
        if (file.isDamaged()) {
            throw new IllegalArgumentException("a run that did not finish has counted a part of '" + source.name()
                    + "', and its position in '" + file.path()
                    + "' is damaged or of another version: add --no-resume to count all of it again");
        }
        Position earlier = file.position();
        if (earlier == null) {
            check(
                    resume == null,
                    "--resume: there is nothing to resume: '" + source.name()
                            + "' was not started on this backend, or was counted to its end; omit --resume");
            return atStart(file);
        }
        if (resume == null) {
            throw new IllegalArgumentException("a run that did not finish has counted '" + source.name()
                    + "' up to line " + Figures.grouped(earlier.done().lines())
                    + ": add --resume to count the rest, or --no-resume to count all of it again");
        }
        CRC32C checksum = new CRC32C();
        try {
            InputStream counted = new CheckedInputStream(source.stream(), checksum);
            counted.skipNBytes(earlier.done().bytes());
            boolean isSame = (int) checksum.getValue() == earlier.done().checksum();
            byte[] inDoubt = counted.readNBytes(
                    Math.toIntExact(earlier.sent().bytes() - earlier.done().bytes()));
            if (isSame && (int) checksum.getValue() == earlier.sent().checksum()) {
                checkWholeLines(source, earlier.sent());
                return new Resumable(file, earlier, LineReader.lines(inDoubt), checksum);
            }
        } catch (EOFException e) {
            // The file is shorter than what was counted.
        }
        throw new IllegalArgumentException("'" + source.name() + "' has changed in its first "
                + Figures.count(earlier.sent().lines(), "line", "lines")
                + ", which were counted: restore them, or count all of it again with --no-resume");
    }

    /** Checks that a last line that was counted without LF has not become longer. */
    private static void checkWholeLines(Source source, Position.Mark counted) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(source.name(), "r")) {
            file.seek(Math.max(0, counted.bytes() - 1));
            if (counted.bytes() > 0 && file.read() != '\n' && file.length() > counted.bytes()) {
                throw new IllegalArgumentException("line " + Figures.grouped(counted.lines()) + " of '" + source.name()
                        + "' was counted before it was complete: count all of it again with --no-resume");
            }
        }
    }

    /**
     * Returns the same text for the same store, wherever the command is run, and whether its file exists yet or not.
     */
    static String store(String backend, Map<String, String> options) {
        Map<String, String> telling = new TreeMap<>(options);
        telling.keySet().removeAll(UNRELATED);
        if (backend.equals("sqlite")) {
            String file = options.get("--file");
            Path path = file == null ? UserDirectories.ofProcess().counters() : Path.of(file);
            telling.put("--file", absolute(path.toAbsolutePath().normalize()).toString());
        }
        return backend + telling;
    }

    /** Returns the path without symbolic links. A part that does not exist stays as it is. */
    private static Path absolute(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            Path parent = path.getParent();
            return parent == null ? path : absolute(parent).resolve(path.getFileName());
        }
    }

    /** Discards the position, since there is nothing to resume. */
    void forget() {
        if (file != null) {
            file.forget();
        }
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    /**
     * Checks that the store still knows the tokens of the part that may have been counted.
     *
     * @throws IllegalArgumentException if it may have forgotten them; the message is for the user
     */
    void checkTokens(Duration retention) {
        Duration age = Duration.ofMillis(System.currentTimeMillis() - position.time());
        boolean isLater = age.compareTo(CLOCK_DIFFERENCE) < 0;
        boolean isOld = age.compareTo(retention.multipliedBy(9).dividedBy(10)) > 0;
        check(
                !position.isInDoubt() || !(isLater || isOld),
                "--resume: the run ended "
                        + (isLater
                                ? Durations.inWords(Duration.ofMinutes(-age.toMinutes()))
                                        + " in the future by this machine's clock"
                                : Durations.inWords(age) + " ago")
                        + ", and the store remembers adds for " + Durations.inWords(retention)
                        + " only: it is not known whether lines "
                        + Figures.grouped(position.done().lines() + 1) + " to "
                        + Figures.grouped(position.sent().lines())
                        + " were counted; --no-resume counts all of it again");
    }
}
