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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file that is counted in parts, so that a run that did not end can be continued. The stream of its source stands where the
 * part that may have been counted ends.
 *
 * @param inDoubt the lines of that part; empty if there is none
 * @param checksum of all bytes before the place where the stream stands
 */
record Resumable(PositionFile file, Position position, List<String> inDoubt, CRC32C checksum) implements Closeable {
    /** How much later than now a run may have ended, by a clock that was corrected meanwhile. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(-5);

    /** The options of backends whose values are paths. */
    private static final Set<String> PATHS = Set.of("--file", "--data");

    /** The options of backends that do not tell which store it is, with the number of words of each. */
    private static final Map<String, Integer> UNRELATED = Map.of("--create-tables", 1, "--shards", 2);

    /**
     * Opens the position of a source, and moves the source to the place where its counting starts.
     *
     * @param format how the lines are counted: a run in another format is another one
     * @param resume whether to continue a run that did not end; null if there should be none
     * @return null if this run cannot be continued by a later one
     * @throws IllegalArgumentException if it cannot be done as it is asked for; the message is for the user
     */
    static @Nullable Resumable open(CommandContext context, Source source, String format, @Nullable Boolean resume)
            throws IOException {
        boolean isContinuing = Boolean.TRUE.equals(resume);
        Path input = source.file();
        if (input == null || !context.factory().isDurable()) {
            check(
                    !isContinuing,
                    "--resume: only the counting of a file can be continued, and only into a store that keeps each add"
                            + " at once");
            return null;
        }
        Path path = PositionFile.path(
                UserDirectories.ofProcess().data().resolve("ingest"),
                input,
                store(context.backendWords()) + "\n" + format);
        if (isContinuing && !Files.exists(path)) {
            throw nothingToResume(source);
        }
        PositionFile file;
        try {
            file = PositionFile.open(path);
        } catch (IOException e) {
            if (isContinuing) {
                throw new IllegalArgumentException("--resume: " + FileNames.problem(e), e);
            }
            context.console().say("this run cannot be continued if it is killed: " + FileNames.problem(e));
            return null;
        }
        if (file == null) {
            check(!isContinuing, "--resume: another run is counting '" + source.name() + "': wait until it has ended");
            context.console()
                    .say("another run is counting '" + source.name()
                            + "'; this one cannot be continued if it is killed");
            return null;
        }
        try {
            return open(source, file, resume);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Resumable open(Source source, PositionFile file, @Nullable Boolean resume) throws IOException {
        if (file.isDamaged() && !Boolean.FALSE.equals(resume)) {
            throw new IllegalArgumentException("'" + source.name() + "' was begun by a run that did not end, whose"
                    + " position in '" + file.path()
                    + "' is damaged or of another version: add --no-resume to count all"
                    + " of it again");
        }
        Position earlier = file.position();
        if (earlier == null || Boolean.FALSE.equals(resume)) {
            if (Boolean.TRUE.equals(resume)) {
                throw nothingToResume(source);
            }
            return new Resumable(file, Position.atStart(UUID.randomUUID().toString()), List.of(), new CRC32C());
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

    private static IllegalArgumentException nothingToResume(Source source) {
        return new IllegalArgumentException("--resume: there is nothing to continue: '" + source.name()
                + "' was not begun on this backend, or was counted to its end");
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

    /** The same store has the same words, wherever the command is run, and whether its file exists yet or not. */
    static String store(List<String> words) {
        List<String> same = new ArrayList<>();
        int next = 0;
        while (next < words.size()) {
            String word = words.get(next);
            int length = UNRELATED.getOrDefault(word, 0);
            if (length == 0) {
                boolean isPath = next > 0 && PATHS.contains(words.get(next - 1));
                same.add(
                        isPath
                                ? absolute(Path.of(word).toAbsolutePath().normalize())
                                        .toString()
                                : word);
            }
            next += Math.max(1, length);
        }
        if (same.equals(List.of("--backend", "sqlite"))) {
            same.addAll(List.of(
                    "--file", absolute(UserDirectories.ofProcess().counters()).toString()));
        }
        return String.join(" ", same);
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

    @Override
    public void close() throws IOException {
        file.close();
    }

    /**
     * Checks that the store still knows the tokens of the part that may have been counted.
     *
     * @throws IllegalArgumentException if it may have forgotten them; the message is for the user
     */
    void checkTokens(Duration retention) {
        Duration age = Duration.ofMillis(System.currentTimeMillis() - position.time());
        check(
                !position.isInDoubt() || age.compareTo(CLOCK_DIFFERENCE) > 0,
                "--resume: the run ended " + Durations.inWords(Duration.ofMinutes(-age.toMinutes()))
                        + " later than it is now by this machine's"
                        + " clock, so it is not known whether the store still remembers its adds; --no-resume counts all"
                        + " of it again");
        if (position.isInDoubt() && age.compareTo(retention.multipliedBy(9).dividedBy(10)) > 0) {
            throw new IllegalArgumentException("--resume: the run ended " + Durations.inWords(age)
                    + " ago, and the store remembers adds for " + Durations.inWords(retention)
                    + " only: it is not known whether lines "
                    + Figures.grouped(position.done().lines() + 1) + " to "
                    + Figures.grouped(position.sent().lines()) + " were counted; --no-resume counts all of it again");
        }
    }
}
