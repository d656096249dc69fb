package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a stream on a thread of its own, since a read from a terminal or a pipe cannot be interrupted. A
 * line ends with LF or the stream, and has one character for each byte, until its name is decoded.
 *
 * <p>A {@link java.io.BufferedReader} does not fit: it ends lines at a CR too, and holds a line of any length in
 * memory. It also cannot continue after a byte that is not UTF-8, even in a part of the line that is not used. It is
 * not faster either: both count 7 to 14 million names, or 2 to 3 million lines of an access log, a second into memory.
 * {@code IngestSpeed} in the tests states the command that measures both.
 */
final class LineReader {
    /** The longest line in bytes: several times a name, a user agent and a referrer together. */
    static final int LONGEST = 64 * 1024;

    private static final int BATCHES_AHEAD = 4;
    private static final int BATCH_BYTES = 256 * 1024;

    private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(BATCHES_AHEAD);
    private final StringBuilder begun = new StringBuilder();
    private final InputStream stream;
    private final CRC32C checksum;
    private long read;

    /** The end of the last line that has ended. */
    private Position.Mark ended;

    /**
     * Creates a reader of a stream, from its start or from where another run has ended.
     *
     * @param start the place of the stream in the file
     * @param checksum of the bytes before it; updated with each further one
     */
    LineReader(InputStream stream, Position.Mark start, CRC32C checksum) {
        this.stream = stream;
        this.read = start.bytes();
        this.ended = start;
        this.checksum = checksum;
    }

    /**
     * Some lines of the stream, in order.
     *
     * @param lines the lines without LF; of a line over {@link #LONGEST}, one character more than that
     * @param end the end of these lines in the file
     * @param isEnd whether these are the last lines
     * @param failure why the rest of the stream cannot be read; null if there was no failure
     */
    record Batch(
            List<String> lines,
            Position.Mark end,
            boolean isEnd,
            @Nullable IOException failure) {}

    void start() {
        Thread thread = new Thread(this::run, "counter-input");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the next lines; null if there were none in time. */
    @Nullable Batch poll(long nanos) throws InterruptedException {
        return batches.poll(nanos, TimeUnit.NANOSECONDS);
    }

    private void run() {
        try {
            batches.put(end(readAll()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns why the stream could not be read to its end; null if it was. */
    private @Nullable IOException readAll() throws InterruptedException {
        byte[] bytes = new byte[BATCH_BYTES];
        try {
            for (int count = stream.read(bytes); count >= 0; count = stream.read(bytes)) {
                batches.put(new Batch(split(bytes, count), ended, false, null));
            }
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    /** After a failure, what follows the last line that has ended may be half a line. */
    private Batch end(@Nullable IOException failure) {
        if (failure == null && read > ended.bytes()) {
            return new Batch(List.of(begun.toString()), mark(1, read), true, null);
        }
        return new Batch(List.of(), ended, true, failure);
    }

    /** Returns the place after {@code lines} more lines, where the checksum is now. */
    private Position.Mark mark(int lines, long bytes) {
        return new Position.Mark(ended.lines() + lines, bytes, (int) checksum.getValue());
    }

    /** Returns all lines of {@code bytes}. The last one need not end with LF. */
    static List<String> lines(byte[] bytes) {
        LineReader reader = new LineReader(InputStream.nullInputStream(), Position.Mark.START, new CRC32C());
        List<String> lines = reader.split(bytes, bytes.length);
        lines.addAll(reader.end(null).lines());
        return lines;
    }

    /** Returns the lines that end in the first {@code count} of these bytes, and keeps what follows the last one. */
    List<String> split(byte[] bytes, int count) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < count; i++) {
            if (bytes[i] == '\n') {
                lines.add(line(bytes, from, i));
                from = i + 1;
            }
        }
        checksum.update(bytes, 0, from);
        if (from > 0) {
            ended = mark(lines.size(), read + from);
        }
        checksum.update(bytes, from, count - from);
        read += count;
        begin(bytes, from, count);
        return lines;
    }

    private String line(byte[] bytes, int from, int to) {
        if (begun.isEmpty() && to - from <= LONGEST) {
            return new String(bytes, from, to - from, ISO_8859_1);
        }
        begin(bytes, from, to);
        String line = begun.toString();
        begun.setLength(0);
        return line;
    }

    private void begin(byte[] bytes, int from, int to) {
        int kept = Math.min(to - from, LONGEST + 1 - begun.length());
        begun.append(new String(bytes, from, kept, ISO_8859_1));
    }
}
