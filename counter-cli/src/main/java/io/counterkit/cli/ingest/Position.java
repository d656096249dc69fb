package io.counterkit.cli.ingest;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a file was counted into a store. Everything before {@code done} was added; what follows up to {@code sent} may have
 * been added, under tokens of its own.
 *
 * @param run the start of the tokens of this run
 * @param part the number of the part between {@code done} and {@code sent}
 * @param time when the part was begun
 */
record Position(String run, long part, Mark done, Mark sent, Instant time) {
    /**
     * A place in the file.
     *
     * @param lines the lines before it
     * @param bytes the bytes before it
     * @param checksum the CRC-32C of those bytes
     */
    record Mark(long lines, long bytes, int checksum) {
        static final Mark START = new Mark(0, 0, 0);
    }

    static Position atStart(String run, Instant time) {
        return new Position(run, 0, Mark.START, Mark.START, time);
    }

    /** Returns the position in which the part up to {@code end} is sent next. */
    Position sending(Mark end, Instant now) {
        return new Position(run, part, done, end, now);
    }

    /** Returns the position in which the part that was sent is counted. */
    Position counted() {
        return new Position(run, part + 1, sent, sent, time);
    }

    boolean isInDoubt() {
        return sent.bytes() > done.bytes();
    }

    String encode() {
        return String.join(" ", run, "" + part, encode(done), encode(sent), "" + time.toEpochMilli());
    }

    private static String encode(Mark mark) {
        return mark.lines() + " " + mark.bytes() + " " + mark.checksum();
    }

    /** Reads what {@link #encode} wrote; null if it is something else. */
    static @Nullable Position decode(String text) {
        String[] words = text.split(" ", -1);
        try {
            return words.length != 9
                    ? null
                    : new Position(
                            words[0],
                            Long.parseLong(words[1]),
                            mark(words, 2),
                            mark(words, 5),
                            Instant.ofEpochMilli(Long.parseLong(words[8])));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static Mark mark(String[] words, int first) {
        return new Mark(
                Long.parseLong(words[first]), Long.parseLong(words[first + 1]), Integer.parseInt(words[first + 2]));
    }
}
