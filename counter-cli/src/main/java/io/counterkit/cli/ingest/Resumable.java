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
 * Where the counting of a source starts. If a file is counted into a store that keeps each add, a later run can continue one
 * that did not end. The stream of the source stands where the part that may have been counted ends.
 *
 * @param file where the position is; null if no later run can continue this one
 * @param inDoubt the lines of the part that may have been counted; empty if there is none
 * @param checksum of all bytes before the place where the stream stands
 */
record Resumable(@Nullable PositionFile file, Position position, List<String> inDoubt, CRC32C checksum)
        implements Closeable {
    /** How much later than now a run may have ended, by a clock that was corrected meanwhile. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(-5);

    /** The options of backends that do not tell which store it is. */
    private static final Set<String> UNRELATED = Set.of("--create-tables", "--shards");

    /** Returns what starts at the beginning of the source. */
    static Resumable atStart(@Nullable PositionFile file) {
        return new Resumable(file, Position.atStart(UUID.randomUUID().toString()), List.of(), new CRC32C());
    }

    /**
     * Opens the position of a source, and moves the source to the place where its counting starts.
     *
     * @param format how the lines are counted: a run in another format is another one
     * @param resume whether to continue a run that did not end; null if there should be none
     * @throws IllegalArgumentException if it cannot be done as it is asked for; the message is for the user
     */
    static Resumable open(CommandContext context, Source source, String format, @Nullable Boolean resume)
            throws IOException {
        boolean isContinuing = Boolean.TRUE.equals(resume);
        Path input = source.file();
        if (input == null || !context.factory().isDurable()) {
            check(
                    !isContinuing,
                    "--resume: only the counting of a file can be continued, and only into a store that keeps each add"
                            + " at once");
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
            context.console().say("this run cannot be continued if it is killed: " + FileNames.problem(e));
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
            throw new IllegalArgumentException("'" + source.name() + "' was begun by a run that did not end, whose"
                    + " position in '" + file.path()
                    + "' is damaged or of another version: add --no-resume to count all"
                    + " of it again");
        }
        Position earlier = file.position();
        if (earlier == null) {
            check(
                    resume == null,
                    "--resume: there is nothing to continue: '" + source.name()
                            + "' was not begun on this backend, or was counted to its end");
            return atStart(file);
        }
        if (resume == null) {
            throw new IllegalArgumentException("'" + source.name() + "' was counted up to line "
                    + Figures.grouped(earlier.done().lines())
                    + " by a run that did not end: add --resume to count the rest, or --no-resume to count all"
                    + " of it again");
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
            // it is shorter than what was counted
        }
        throw new IllegalArgumentException("'" + source.name() + "' has changed in its first "
                + Figures.count(earlier.sent().lines(), "line", "lines")
                + ", which were counted: restore them, or count all of it again with --no-resume");
    }

    /** Checks that what was counted as the last line, without an end, has not become a longer line. */
    private static void checkWholeLines(Source source, Position.Mark counted) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(source.name(), "r")) {
            file.seek(Math.max(0, counted.bytes() - 1));
            if (counted.bytes() > 0 && file.read() != '\n' && file.length() > counted.bytes()) {
                throw new IllegalArgumentException("line " + Figures.grouped(counted.lines()) + " of '" + source.name()
                        + "' was counted before it was complete: count all of it again with --no-resume");
            }
        }
    }

    /** Returns the same text for the same store, wherever the command is run, and whether its file exists yet or not. */
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

    /** Returns the path without symbolic links; the part of it that does not exist stays as it is. */
    private static Path absolute(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            Path parent = path.getParent();
            return parent == null ? path : absolute(parent).resolve(path.getFileName());
        }
    }

    /** Lets the position be deleted: there is nothing to continue. */
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
                                        + " later than it is now by this machine's clock"
                                : Durations.inWords(age) + " ago")
                        + ", and the store remembers adds for " + Durations.inWords(retention)
                        + " only: it is not known whether lines "
                        + Figures.grouped(position.done().lines() + 1) + " to "
                        + Figures.grouped(position.sent().lines())
                        + " were counted; --no-resume counts all of it again");
    }
}
