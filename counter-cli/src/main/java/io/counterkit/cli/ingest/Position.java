package io.counterkit.cli.ingest;

/**
 * How far a file was counted into a store. Everything before {@code done} was added; what follows up to {@code sent} may have
 * been added, under tokens of its own.
 *
 * @param run the start of the tokens of this run
 * @param part the number of the part between {@code done} and {@code sent}
 * @param time when the part was begun, in milliseconds
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

    /** Returns the position in which the part up to {@code end} is sent next. */
    Position sending(Mark end) {
        return new Position(run, part, done, end, System.currentTimeMillis());
    }

    /** Returns the position in which the part that was sent is counted. */
    Position counted() {
        return new Position(run, part + 1, sent, sent, time);
    }

    boolean isInDoubt() {
        return sent.bytes() > done.bytes();
    }
}
