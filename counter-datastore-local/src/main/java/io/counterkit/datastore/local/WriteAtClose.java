package io.counterkit.datastore.local;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Writes once, at the end. */
final class WriteAtClose implements Writing {
    private final StubMemory memory;
    private final StoreFile file;

    WriteAtClose(StubMemory memory, StoreFile file) {
        this.memory = memory;
        this.file = file;
    }

    @Override
    public void check() {}

    @Override
    public Future<byte[]> whenWritten(Future<byte[]> answer, long change, @Nullable Double seconds) {
        return answer;
    }

    @Override
    public void finish(long change) {
        if (change > 0) {
            try {
                ByteArrayOutputStream copy = new ByteArrayOutputStream();
                long unused = memory.copyTo(copy);
                file.write(copy);
            } catch (IOException e) {
                throw new StoppedException(file.path(), e);
            }
        }
    }

    @Override
    public void end() {}
}
