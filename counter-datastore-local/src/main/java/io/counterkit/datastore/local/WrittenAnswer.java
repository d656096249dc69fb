package io.counterkit.datastore.local;

import com.google.apphosting.api.ApiProxy;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** An answer of the store, given once what it was taken from is on disk; an error too, since it tells of the store. */
final class WrittenAnswer implements Future<byte[]> {
    private final Future<byte[]> answer;
    private final WriteEachCommit writer;
    private final long change;
    private final @Nullable Double seconds;
    private final long began = System.nanoTime();

    /**
     * @param answer the answer, which is there
     * @param change what has to be on disk
     * @param seconds how long the caller waits, from now on; null for as long as it takes
     */
    WrittenAnswer(Future<byte[]> answer, WriteEachCommit writer, long change, @Nullable Double seconds) {
        this.answer = answer;
        this.writer = writer;
        this.change = change;
        this.seconds = seconds;
    }

    /** Waits until the answer may be given. Cannot be interrupted. */
    @Override
    public byte[] get() throws ExecutionException {
        try {
            return get(Long.MAX_VALUE);
        } catch (TimeoutException e) {
            throw new AssertionError("time without end has run out", e);
        }
    }

    /** Waits until the answer may be given, or the time is over. Cannot be interrupted. */
    @Override
    public byte[] get(long timeout, TimeUnit unit) throws ExecutionException, TimeoutException {
        return get(unit.toNanos(timeout));
    }

    private byte[] get(long nanos) throws ExecutionException, TimeoutException {
        long left = seconds == null ? Long.MAX_VALUE : (long) (seconds * 1e9) - (System.nanoTime() - began);
        try {
            if (!writer.awaitWritten(change, Math.min(nanos, left))) {
                if (nanos < left) {
                    throw new TimeoutException();
                }
                throw new ExecutionException(new ApiProxy.ApiDeadlineExceededException("datastore_v3", "Commit"));
            }
        } catch (StoppedException e) {
            throw new ExecutionException(e);
        }
        return Uninterruptibly.get(answer::get);
    }

    @Override
    public boolean isDone() {
        return writer.isDecided(change);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return false;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }
}
