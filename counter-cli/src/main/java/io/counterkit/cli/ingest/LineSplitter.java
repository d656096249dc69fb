package io.counterkit.cli.ingest;

import java.util.Arrays;

/**
 * Cuts a stream of bytes into lines that end with LF, CR LF or the stream, without copying those that lie within one
 * chunk.
 */
final class LineSplitter {
    /** The longest line: several times a name, a user agent and a referrer together. More would let memory grow. */
    static final int LONGEST = 64 * 1024;

    private final Sink sink;
    private byte[] begun = new byte[1024];
    private int length;
    private boolean skipping;
    private long fed;
    private long taken;

    LineSplitter(Sink sink) {
        this.sink = sink;
    }

    /** Takes the next bytes of the stream. */
    void feed(byte[] bytes, int count) throws InterruptedException {
        int from = 0;
        for (int i = 0; i < count; i++) {
            if (bytes[i] == '\n') {
                taken = fed + i + 1;
                endLine(bytes, from, i);
                from = i + 1;
            }
        }
        keep(bytes, from, count);
        fed += count;
    }

    /** How many bytes the lines have that were emitted. */
    long taken() {
        return taken;
    }

    /** The stream has ended; what stands after the last line feed is a line too. */
    void end() throws InterruptedException {
        taken = fed;
        if (length > 0 || skipping) {
            endLine(begun, 0, 0);
        }
    }

    private void endLine(byte[] bytes, int from, int to) throws InterruptedException {
        if (length == 0 && !skipping) {
            emit(bytes, from, to);
            return;
        }
        keep(bytes, from, to);
        if (skipping) {
            sink.tooLong();
        } else {
            emit(begun, 0, length);
        }
        length = 0;
        skipping = false;
    }

    private void emit(byte[] bytes, int from, int to) throws InterruptedException {
        if (to - from > LONGEST) {
            sink.tooLong();
        } else {
            sink.line(bytes, from, to > from && bytes[to - 1] == '\r' ? to - 1 : to);
        }
    }

    private void keep(byte[] bytes, int from, int to) {
        int grown = length + to - from;
        skipping |= grown > LONGEST;
        if (skipping) {
            length = 0;
            return;
        }
        if (grown > begun.length) {
            begun = Arrays.copyOf(begun, Math.max(grown, 2 * begun.length));
        }
        System.arraycopy(bytes, from, begun, length, to - from);
        length = grown;
    }

    /** Where the lines go, in order. */
    interface Sink {
        /** A line, without its end; the bytes are valid during the call only. */
        void line(byte[] bytes, int from, int to) throws InterruptedException;

        /** A line of more than {@link #LONGEST} bytes. */
        void tooLong();
    }
}
