package io.counterkit.cli.ingest;

/**
 * The progress of counting a file into a store. All lines before {@code done} were added. The lines from there to
 * {@code sent} may have been added, under the tokens of this part.
 *
 * @param run a random ID, which the tokens of this run contain
 * @param part the number of the part between {@code done} and {@code sent}
 * @param time when the part was sent, in milliseconds since the epoch
 */
record Position(String run, long part, Mark done, Mark sent, long time) {
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

    static Position atStart(String run) {
        return new Position(run, 0, Mark.START, Mark.START, System.currentTimeMillis());
    }

    /** Returns the position before the part up to {@code end} is sent. */
    Position sending(Mark end) {
        return new Position(run, part, done, end, System.currentTimeMillis());
    }

    /** Returns the position after the part was counted. */
    Position counted() {
        return new Position(run, part + 1, sent, sent, time);
    }

    boolean isInDoubt() {
        return sent.bytes() > done.bytes();
    }
}
