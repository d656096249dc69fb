package io.counterkit.cli.ingest;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Some bytes of a stream, or its end. */
final class Chunk {
    private final byte[] bytes;
    private final int count;
    private final @Nullable IOException failure;

    private Chunk(byte[] bytes, int count, @Nullable IOException failure) {
        this.bytes = bytes;
        this.count = count;
        this.failure = failure;
    }

    /** What a read into {@code bytes} gave: so many of them, or -1 for the end. */
    static Chunk read(byte[] bytes, int count) {
        return new Chunk(bytes, count, null);
    }

    /** The end of a stream that could not be read any further. */
    static Chunk failed(IOException failure) {
        return new Chunk(new byte[0], -1, failure);
    }

    byte[] bytes() {
        return bytes;
    }

    /** How many of the bytes are valid. */
    int count() {
        return count;
    }

    boolean isEnd() {
        return count < 0;
    }

    /** Why the stream ended; null if it was read to its end. */
    @Nullable IOException failure() {
        return failure;
    }
}
