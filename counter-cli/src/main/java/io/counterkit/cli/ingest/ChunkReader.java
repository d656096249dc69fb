package io.counterkit.cli.ingest;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream on a thread of its own, a few chunks ahead: nobody else has to wait for it, since a read from a
 * terminal or a pipe cannot be interrupted.
 */
final class ChunkReader {
    private static final int AHEAD = 4;
    private static final int SIZE = 256 * 1024;

    private final BlockingQueue<Chunk> read = new ArrayBlockingQueue<>(AHEAD + 1);
    private final BlockingQueue<byte[]> free = new ArrayBlockingQueue<>(AHEAD);
    private final InputStream stream;

    private ChunkReader(InputStream stream) {
        this.stream = stream;
        for (int i = 0; i < AHEAD; i++) {
            free.add(new byte[SIZE]);
        }
    }

    static ChunkReader start(InputStream stream) {
        ChunkReader reader = new ChunkReader(stream);
        Thread thread = new Thread(reader::run, "counter-input");
        thread.setDaemon(true);
        thread.start();
        return reader;
    }

    private void run() {
        try {
            for (Chunk chunk = next(); ; chunk = next()) {
                read.put(chunk);
                if (chunk.isEnd()) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Chunk next() throws InterruptedException {
        byte[] bytes = free.take();
        try {
            return Chunk.read(bytes, stream.read(bytes));
        } catch (IOException e) {
            return Chunk.failed(e);
        }
    }

    /** The next chunk; null if none came in time. */
    @Nullable Chunk poll(long nanos) throws InterruptedException {
        return read.poll(nanos, TimeUnit.NANOSECONDS);
    }

    /** Gives the memory of a chunk back. */
    void recycle(Chunk chunk) {
        free.add(chunk.bytes());
    }
}
