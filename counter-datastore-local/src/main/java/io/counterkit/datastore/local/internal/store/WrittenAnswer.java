package io.counterkit.datastore.local.internal.store;

import com.google.apphosting.api.ApiProxy;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** An answer of the store, or its error, that is available after the state that it was read from is on disk. */
final class WrittenAnswer implements Future<byte[]> {
    private final Future<byte[]> answer;
    private final MemoryWriter writer;
    private final long change;
    private final @Nullable Double seconds;
    private final long start = System.nanoTime();

    /**
     * @param answer the answer, which is complete
     * @param change the change that has to be on disk
     * @param seconds how long the caller waits, from now on; null without a limit
     */
    WrittenAnswer(Future<byte[]> answer, MemoryWriter writer, long change, @Nullable Double seconds) {
        this.answer = answer;
        this.writer = writer;
        this.change = change;
        this.seconds = seconds;
    }

    /** Waits until the answer is available. Ignores interrupts. */
    @Override
    public byte[] get() throws ExecutionException {
        try {
            return get(Long.MAX_VALUE);
        } catch (TimeoutException e) {
            throw new AssertionError("a wait without a limit ended", e);
        }
    }

    /** Waits until the answer is available or the time is over. Ignores interrupts. */
    @Override
    public byte[] get(long timeout, TimeUnit unit) throws ExecutionException, TimeoutException {
        return get(unit.toNanos(timeout));
    }

    private byte[] get(long nanos) throws ExecutionException, TimeoutException {
        long left = seconds == null ? Long.MAX_VALUE : (long) (seconds * 1e9) - (System.nanoTime() - start);
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
